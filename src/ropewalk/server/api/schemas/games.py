"""What clients are shown: everything that is needed to draw a game and to play it, with no rules in the client."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from ....errors import IllegalMove
from ....games.definition import GameSpec
from .options import OptionsView, build_options

if TYPE_CHECKING:
    from ....boards import Board
    from ....games.game import Game
    from ....games.position import Outcome, Position

DIGITS = 4

Point = tuple[float, float]
Point3 = tuple[float, float, float]


class PieceInfo(BaseModel):
    """A piece: stone, checker, disc or ring."""

    kind: Literal["stone", "checker", "disc", "ring"]
    colour: str
    letter: str = Field(description="for those who do not see colours; may be empty")


class Cell(BaseModel):
    """A cell in space and on the flat map; outlines run counter-clockwise for the eye."""

    name: str
    role: str = Field(description="how it is coloured: cell, small cell, edge cell, marked, dark square")
    neighbours: list[str]
    centre: Point3
    outline: list[Point3]
    flat_centre: Point
    flat_outlines: list[list[Point]] = Field(description="several where the map cuts the cell; y grows downward")


class CameraView(BaseModel):
    """The default direction of view on a solid or a table, in degrees."""

    yaw: float
    pitch: float


class BoardView(BaseModel):
    """A board."""

    kind: str
    size: list[int]
    contact: Literal["edge", "corner"] = Field(description="what outlines of neighbours share")
    directions: list[str] = Field(description="names of the neighbours' slots, where the surface has directions")
    views: list[str] = Field(description="flat, and solid or table")
    camera: CameraView
    stack_offset: Point = Field(description="how a stack leans on the flat map")
    marks: dict[str, list[str]] = Field(description="cells that the rules speak of")
    cells: list[Cell]


class RuleView(BaseModel):
    """A paragraph of the rules in short."""

    heading: str
    text: str


class GameEntry(BaseModel):
    """A game of the list."""

    key: str
    name: str
    designer: str
    year: str
    objective: str
    default_spec: str = Field(description="the spec of its standard board")
    presets: dict[str, str] = Field(description="specs by size: small, standard, large")
    spec_patterns: list[str] = Field(description="all specs that it understands")
    options: OptionsView
    level_count: int
    rules: list[RuleView] = Field(description="in short and in English; empty for games that the page explains itself")


class GameView(BaseModel):
    """A game on one board."""

    spec: str
    key: str
    name: str
    designer: str
    year: str
    colours: list[str] = Field(description="of seats 0 and 1, before any swap")
    options: dict[str, Any]
    legend: str
    has_draws: bool
    move_cells: dict[str, list[str]] = Field(description="every move that there is, with the cells that it names")
    pieces: dict[str, list[PieceInfo]] = Field(description="what tokens mean that the start position has")
    board: BoardView


class OutcomeView(BaseModel):
    """How a game ended by its rules."""

    winner: int | None = Field(description="a seat; null: drawn")
    reason: str
    witness: list[str] = Field(description="the cells that show it")
    rule: str = Field(description="the heading of the rules page that decides it")
    message: str


class ControlledColour(BaseModel):
    """What players can control: free for all whom no other colour in `by` shuts out."""

    piece: PieceInfo
    by: list[str]


class PositionView(BaseModel):
    """A position, ready to be drawn and played from."""

    spec: str
    text: str = Field(description="the position in one line, which can be read back")
    seat: int | None = Field(description="to move; null when the game is over")
    colours: list[str] = Field(description="of seats 0 and 1; a swap exchanges them")
    pieces: dict[str, list[PieceInfo]] = Field(description="by cell, from bottom to top")
    moves: list[str] = Field(description="all legal steps")
    territory: dict[str, list[str]] = Field(description="by colour, in games that have it")
    phase: str = Field(description="a stable word for what is to be chosen, where that is not always the same")
    pieces_in_hand: dict[str, list[PieceInfo]] = Field(description="by colour, what players hold beside the board")
    controlled: list[ControlledColour] = Field(description="what players control, in games in which they do")
    outcome: OutcomeView | None


class IllegalMoveInfo(BaseModel):
    """Why a move is not legal."""

    reason: str
    message: str
    witness: list[str]
    rule: str


class Explanation(BaseModel):
    """What a move does, or why it is refused."""

    move: str
    cells: list[str]
    legal: bool
    message: str
    illegal: IllegalMoveInfo | None
    resulting_position: PositionView | None = Field(description="the position that it leads to")
    placed: list[str] = Field(description="cells on which something new stands")
    removed: list[str] = Field(description="cells that were left or whose pieces were captured")


def build_game_entry(entry: GameSpec) -> GameEntry:
    """A game of the list."""
    sizes = {"standard": entry.standard} | entry.presets
    return GameEntry(
        key=entry.key,
        name=entry.name,
        designer=entry.designer,
        year=entry.year,
        objective=entry.aim,
        default_spec=entry.standard_spec,
        presets={name: f"{entry.key}-{size}" for name, size in sizes.items()},
        spec_patterns=list(entry.forms),
        options=build_options(entry.options),
        level_count=len(entry.bots),
        rules=[RuleView(heading=rule.heading, text=rule.text) for rule in entry.rules],
    )


@lru_cache(maxsize=64)
def build_game(game: Game) -> GameView:
    """A game with its board."""
    from ....games.notation import list_cell_names

    return GameView(
        spec=game.spec,
        key=game.definition.key,
        name=game.name,
        designer=game.designer,
        year=game.year,
        colours=list(game.colours),
        options=dict(game.options),
        legend=game.text.legend(),
        has_draws=game.can_repeat,
        move_cells={text: list(list_cell_names(game.board, text)) for text in game.move_texts},
        pieces={token: list_pieces(game, token) for token in sorted(set(game.start().contents.values()))},
        board=build_board(game),
    )


def build_board(game: Game) -> BoardView:
    """A board with all its cells."""
    from ....diagrams.looks import find_look

    board, look = game.board, find_look(game)
    return BoardView(
        kind=board.kind,
        size=list(board.size),
        contact=board.adjacency,
        directions=list(board.directions),
        views=list(look.views),
        camera=CameraView(yaw=look.yaw, pitch=look.pitch),
        stack_offset=look.stack_offset,
        marks={mark: [board.names[cell] for cell in cells] for mark, cells in board.marked_cells.items()},
        cells=[build_cell(board, cell, look.cell_role(board, cell)) for cell in range(len(board))],
    )


def build_cell(board: Board, cell: int, role: str) -> Cell:
    """One cell."""
    return Cell(
        name=board.names[cell],
        role=role,
        neighbours=[board.names[other] for other in board.neighbours[cell] if other >= 0],
        centre=round_all(board.centres[cell]),
        outline=round_all(board.outlines[cell]),
        flat_centre=round_all(board.flat_centres[cell]),
        flat_outlines=[round_all(part) for part in board.flat_outlines[cell]],
    )


def round_all(numbers: Any) -> Any:
    """Numbers with as many digits as a screen can show."""
    return numbers.round(DIGITS).tolist()


def list_pieces(game: Game, token: str) -> list[PieceInfo]:
    """What a token stands for, from bottom to top."""
    pieces = game.definition.tokens.pieces_of(token)
    return [PieceInfo.model_construct(kind=piece.kind, colour=piece.paint, letter=piece.letter) for piece in pieces]


def build_position(position: Position, *, moves: bool = True) -> PositionView:
    """A position; its moves can be left out where it is only looked at."""
    game, contents = position.game, position.contents
    known = {token: list_pieces(game, token) for token in set(contents.values())}
    return PositionView.model_construct(  # nothing to check: it comes from ourselves
        spec=game.spec,
        text=str(position),
        seat=position.seat,
        colours=list(position.colours),
        pieces={cell: known[token] for cell, token in contents.items()},
        moves=position.moves() if moves and position.seat is not None else [],
        territory=list_territory(position),
        phase=game.text.phase(position.row) if position.seat is not None else "",
        pieces_in_hand={colour: list_pieces(game, token) for colour, token in game.text.hands(position.row).items()},
        controlled=[
            ControlledColour(piece=list_pieces(game, token)[-1], by=list(by))
            for token, by in game.text.colour_control(position.row).items()
        ],
        outcome=build_outcome(position.outcome),
    )


def list_territory(position: Position) -> dict[str, list[str]]:
    """The cells that each colour claims, in a game that has territory."""
    from ....diagrams.diagram import TerritorialGame

    game = position.game
    if not isinstance(game, TerritorialGame):
        return {}
    return {colour: list(game.text.cell_names(game.territory_cells(position, number)))
            for number, colour in enumerate(game.colours, start=1)}  # fmt: skip


def build_outcome(outcome: Outcome | None) -> OutcomeView | None:
    """An ending."""
    if outcome is None:
        return None
    return OutcomeView(
        winner=outcome.winner,
        reason=outcome.reason,
        witness=list(outcome.witness),
        rule=outcome.clause,
        message=outcome.words,
    )


def build_explanation(position: Position, move: str) -> Explanation:
    """What a move would do in a position, or why it is refused."""
    from ....games.notation import list_cell_names

    cells, refused = list(list_cell_names(position.game.board, move)), position.refusal(move)
    if refused is not None:
        return Explanation(
            move=move,
            cells=cells,
            legal=False,
            message=str(refused),
            illegal=build_illegal_move(refused),
            resulting_position=None,
            placed=[],
            removed=[],
        )
    after = position.play(move)
    old, new = position.contents, after.contents
    return Explanation(
        move=move,
        cells=cells,
        legal=True,
        message=position.explain(move),
        illegal=None,
        resulting_position=build_position(after),
        placed=[cell for cell, token in new.items() if old.get(cell) != token],
        removed=[cell for cell in old if cell not in new],
    )


def build_illegal_move(refused: IllegalMove) -> IllegalMoveInfo:
    """A refusal."""
    return IllegalMoveInfo(reason=refused.reason, message=str(refused), witness=list(refused.witness), rule=refused.clause)
