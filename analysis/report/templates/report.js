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
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
