"""`make bench`: the speed of everything, side by side on one core, each ratio beside what is wanted of it.

A machine that does other things too is slower from one second to the next. So what is compared is measured in turns,
round after round, in CPU time; a ratio is the median of the ratios of the rounds.
"""
