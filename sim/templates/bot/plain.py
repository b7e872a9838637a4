"""A bot for every game, as one class: easy to write, and slow (its games are played uncompiled)."""


class Careful:
    """Takes the action after which it leads by most points."""

    def choose(self, view):
        """Return one of ``view.actions``; a world is a copy of the position in which hidden things were redrawn."""

        def lead(action):
            world = view.world()
            world.play(action)
            others = [points for seat, points in enumerate(world.scores) if seat != view.seat]
            return world.scores[view.seat] - max(others)

        return max(view.actions, key=lead)
