"""The four scripted styles of the playtesting literature, as known yardsticks for other bots.

They come from F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of Contemporary Board
Games" (FDG 2017) and "AI as Evaluator: Search Driven Playtesting of Modern Board Games" (AAAI workshops 2017). The
details are those of the program that the authors published with them; the code here is our own. "As published" in a
docstring is what that program does; where it plainly misses what it is meant to do, we do what is meant and say so.

It plays boards without stations, announcements and passengers. `ScriptedBot` says what we filled in there.
"""
