// The rows of a long table beyond the first ones stand beside it as data, each different cell once.
for (const data of document.querySelectorAll("script.rows")) {
  const table = data.previousElementSibling.querySelector("table"), heads = [...table.tHead.rows[0].cells];
  const { said, rows } = JSON.parse(data.textContent), body = document.createDocumentFragment();
  for (const row of rows) {
    const line = body.appendChild(document.createElement("tr"));
    row.forEach((place, column) => {
      const [text = "", sort = null, tone = null, link = ""] = said[place];
      const cell = line.appendChild(document.createElement("td"));
      if (heads[column].classList.contains("n")) cell.className = "n";
      else if (text.length <= 24) cell.className = "short";
      if (sort !== null) cell.dataset.v = sort;
      const inner = tone || link ? cell.appendChild(document.createElement(tone ? "span" : "a")) : cell;
      if (tone) inner.className = `badge ${tone}`;
      else if (link) inner.href = link;
      inner.textContent = text;
    });
  }
  table.tBodies[0].append(body);
}
// Tables can be sorted by a tap on a head. Without scripts they are plain tables in their best order.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("n");
      const first = numbers ? "descending" : "ascending", other = numbers ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      const sign = order === "ascending" ? 1 : -1;
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
      const rows = [...body.rows].sort((a, b) => {
        const x = key(a), y = key(b), bothNumbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
        if (x === "" || y === "") return (x === "") - (y === "");
        return sign * (bothNumbers ? x - y : x.localeCompare(y, undefined, { numeric: true }));
      });
      body.append(...rows);
    });
  });
}
// Under each table: its rows as CSV, a filter where there are many, and a cue where columns lie beyond the edge.
const csv = (table) => [...table.rows].map((row) => [...row.cells]
  .map((cell) => `"${cell.textContent.trim().replaceAll("−", "-").replaceAll('"', '""')}"`).join(",")).join("\r\n") + "\r\n";
const save = (name, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const make = (tag, text, where) => Object.assign(where.appendChild(document.createElement(tag)), { textContent: text });
const holds = (row, text) => row.textContent.toLowerCase().includes(text);
for (const box of document.querySelectorAll(".scroll")) {
  const table = box.querySelector("table"), under = document.createElement("div");
  const title = box.getAttribute("aria-label");
  under.className = "under";
  if (table) {
    const button = make("button", "CSV", under);
    button.type = "button";
    button.setAttribute("aria-label", `Save as CSV: ${title}`);
    button.addEventListener("click", () => save(`${title.replace(/[^\p{L}\d]+/gu, "-").slice(0, 60)}.csv`, csv(table)));
    if (table.tBodies[0].rows.length > 8) {
      const input = make("input", "", under);
      Object.assign(input, { type: "search", placeholder: "Filter rows" });
      input.setAttribute("aria-label", `Filter rows: ${title}`);
      input.addEventListener("input", () => {
        const wanted = input.value.trim().toLowerCase();
        for (const row of table.tBodies[0].rows) row.toggleAttribute("data-filtered", !holds(row, wanted));
      });
    }
  }
  const cue = make("span", "more to the right →", under);
  const look = () => (cue.hidden = box.scrollWidth <= box.clientWidth + 1 || box.scrollLeft + box.clientWidth >= box.scrollWidth - 1);
  new ResizeObserver(look).observe(box);
  box.addEventListener("scroll", look, { passive: true });
  look();
  box.after(under);
}
// One search over the page: what does not hold the text is hidden, what is folded away and holds it opens.
const search = document.getElementById("search"), hits = document.getElementById("hits");
search?.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  for (const section of document.querySelectorAll("main section")) {
    for (const item of section.querySelectorAll("tbody tr, .statements li")) {
      const found = holds(item, wanted);
      item.toggleAttribute("data-unfound", !found);
      count += found && wanted !== "";
      const folded = item.closest("details");
      if (folded && found && wanted) folded.open = true;
    }
    section.toggleAttribute("data-unfound", wanted !== "" && !holds(section, wanted));
  }
  hits.textContent = wanted ? `${count} rows` : "";
});
const theme = document.getElementById("theme");
theme?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  theme.setAttribute("aria-pressed", String(!dark));
});
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
