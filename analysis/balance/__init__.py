"""Which change of the rules meets the targets? (R3)

`space`: what may be changed, and how large a change is. `gauge`: what the targets ask of a data set, read off as
numbers with their errors. `search`: what was played so far, a model of what each change does, and what to play next.
`proof`: what fresh games say of the proposals. `proposing`: a whole search.

Where there are tiers of play the search is a race: the cheapest tier tries all, the dearest looks at twice as many as
are proved, and only what it finds nearest goes into the proof, whose second look is for what is undecided and smaller
than all that is proven.

Promised: nothing that was seen while searching counts for a verdict. A proposal is *proven* when fresh games place
every target within its range, by equivalence tests whose level is divided by the number of proposals (and of
looks), so that in at most 5% of searches any proposal is called so that is not.
"""
