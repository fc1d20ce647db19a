"""Models of games, boards and positions, with one builder each; a client needs no rules to draw and play a game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import BaseModel, Field

from ....diagrams.looks import find_look
from ....diagrams.map_layout import MapLayout, build_map_layout
from ....errors import IllegalMove
from ....games.definition import GameSpec, Piece
from .options import OptionsView, build_options

if TYPE_CHECKING:
    from ....boards import Board
    from ....games.game import Game
    from ....games.position import Outcome, Position

COORDINATE_DIGITS = 4

Point = tuple[float, float]
Point3 = tuple[float, float, float]
PieceKind = Literal["stone", "checker", "disc", "ring"]


class PieceInfo(BaseModel):
    """A piece: stone, checker, disc or ring."""

    kind: PieceKind
    colour: str
    letter: str = Field(description="a letter on the piece, which identifies it without its colour; may be empty")


class Cell(BaseModel):
    """A cell in space; the outline is counter-clockwise as seen from outside."""

    name: str
    role: str = Field(description="the style of the cell: cell, small cell, edge cell, marked, dark square")
    neighbours: list[str]
    centre: Point3
    outline: list[Point3]


class CameraView(BaseModel):
    """The default direction of the camera in the solid and table views, in degrees."""

    yaw: float
    pitch: float


class BoardView(BaseModel):
    """A board: its cells in space, and its flat map as it is drawn."""

    kind: str
    size: list[int]
    contact: Literal["edge", "corner"] = Field(description="what the outlines of neighbours share")
    directions: list[str] = Field(description="names of the directions to neighbours; empty if the board has none")
    look: str = Field(description="how the board is drawn: cylinder, cube, rhombus, squares or dark squares")
    views: list[str] = Field(description="available views: flat, and solid or table")
    camera: CameraView
    slab_outline: list[Point] = Field(
        description="the edge of the slab under a flat board in the table view, y upward; empty for a solid"
    )
    marks: dict[str, list[str]] = Field(description="cells that the rules name, by the name of the mark")
    cells: list[Cell]
    map: MapLayout


class RuleView(BaseModel):
    """A paragraph of the rules summary."""

    heading: str
    text: str


class GameEntry(BaseModel):
    """An entry of the list of games."""

    key: str
    name: str
    designer: str
    year: str
    objective: str
    default_spec: str = Field(description="the spec of the standard board")
    presets: dict[str, str] = Field(description="specs by size: small, standard, large")
    spec_patterns: list[str] = Field(description="patterns of all valid specs")
    options: OptionsView
    level_count: int
    colours: list[str] = Field(description="of seats 0 and 1, before any swap")
    rules: list[RuleView] = Field(description="a summary in English; empty for games whose rules are part of the page")


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
    move_cells: dict[str, list[str]] = Field(description="all possible moves, with the cells that they name")
    pieces: dict[str, list[PieceInfo]] = Field(description="pieces of the tokens in the start position")
    setup_pieces: dict[str, PieceInfo] = Field(description="what can be put on a cell to edit a position, by symbol")
    player_piece: PieceKind = Field(description="the kind of piece that stands for a player")
    board: BoardView


class OutcomeView(BaseModel):
    """The result of a game by its rules."""

    winner: int | None = Field(description="a seat; null for a draw")
    reason: str
    witness: list[str] = Field(description="the cells that prove it")
    rule: str = Field(description="the heading of the rules page that decides it")
    message: str


class ControlledColour(BaseModel):
    """A kind of piece, and the colours of the players who control it; a player cannot use it while another colour does."""

    piece: PieceInfo
    by: list[str]


class ScoreView(BaseModel):
    """A count of both players by which a game is decided."""

    kind: str = Field(description="what is counted, a stable identifier")
    by_colour: dict[str, int]
    target: int | None = Field(description="the count that wins; null if none does")


class PositionView(BaseModel):
    """A position with its pieces and legal moves."""

    spec: str
    text: str = Field(description="the position as one line of text, which requests accept")
    seat: int | None = Field(description="the seat to move; null when the game is over")
    colours: list[str] = Field(description="of seats 0 and 1; a swap exchanges them")
    pieces: dict[str, list[PieceInfo]] = Field(description="by cell, from bottom to top")
    moves: list[str] = Field(description="all legal moves")
    territory: dict[str, list[str]] = Field(description="by colour, in games with territory")
    scores: list[ScoreView] = Field(description="the most important first, in games with counts; empty in others")
    phase: str = Field(description="a stable identifier of the kind of move to choose, in games with several kinds")
    pieces_in_hand: dict[str, list[PieceInfo]] = Field(description="pieces beside the board, by colour")
    controlled: list[ControlledColour] = Field(description="pieces that players control, in games with control")
    outcome: OutcomeView | None


class IllegalMoveInfo(BaseModel):
    """The reason why a move is illegal."""

    reason: str
    message: str
    witness: list[str]
    rule: str


class Explanation(BaseModel):
    """The effect of a move, or the reason why it is illegal."""

    move: str
    cells: list[str]
    legal: bool
    message: str
    illegal: IllegalMoveInfo | None
    resulting_position: PositionView | None = Field(description="the position after the move")
    placed: list[str] = Field(description="cells whose contents are new")
    removed: list[str] = Field(description="cells that became empty")


def build_game_entry(entry: GameSpec) -> GameEntry:
    """Return the entry of a game in the list."""
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
        colours=list(entry.colours),
        rules=[RuleView(heading=rule.heading, text=rule.text) for rule in entry.rules],
    )


@lru_cache(maxsize=64)
def build_game(game: Game) -> GameView:
    """Return the view of a game with its board."""
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
        setup_pieces=list_setup_pieces(game),
        player_piece=find_player_piece(game),
        board=build_board(game),
    )


def list_setup_pieces(game: Game) -> dict[str, PieceInfo]:
    """Return the pieces that can be put on a cell to edit a position, by their symbols."""
    tokens = game.definition.tokens
    return {symbol: build_piece(piece) for symbol, piece in (*tokens.pieces.items(), *tokens.brackets.items())}


def find_player_piece(game: Game) -> PieceKind:
    """Return the kind of the topmost pieces that have the players' colours."""
    tokens = game.definition.tokens
    pieces = (*tokens.brackets.values(), *tokens.pieces.values())
    return cast("PieceKind", next(piece.kind for piece in pieces if piece.colour in game.colours))


def build_board(game: Game) -> BoardView:
    """Return the view of a board with all its cells."""
    board, look = game.board, find_look(game)
    return BoardView(
        kind=board.kind,
        size=list(board.size),
        contact=board.adjacency,
        directions=list(board.directions),
        look=game.definition.look,
        views=list(look.views),
        camera=CameraView(yaw=look.yaw, pitch=look.pitch),
        slab_outline=round_all(look.build_slab_outline(board)),
        marks={mark: [board.names[cell] for cell in cells] for mark, cells in board.marked_cells.items()},
        cells=[build_cell(board, cell, look.cell_role(board, cell)) for cell in range(len(board))],
        map=build_map_layout(game),
    )


def build_cell(board: Board, cell: int, role: str) -> Cell:
    """Return the view of a cell."""
    return Cell(
        name=board.names[cell],
        role=role,
        neighbours=[board.names[other] for other in board.neighbours[cell] if other >= 0],
        centre=round_all(board.centres[cell]),
        outline=round_all(board.outlines[cell]),
    )


def round_all(numbers: Any) -> Any:
    """Return the numbers of an array as lists, rounded to COORDINATE_DIGITS."""
    return numbers.round(COORDINATE_DIGITS).tolist()


def list_pieces(game: Game, token: str) -> list[PieceInfo]:
    """Return the pieces of a token, from bottom to top."""
    return [build_piece(piece) for piece in game.definition.tokens.pieces_of(token)]


def build_piece(piece: Piece) -> PieceInfo:
    """Return the view of a piece."""
    return PieceInfo.model_construct(kind=piece.kind, colour=piece.paint, letter=piece.letter)


def build_position(position: Position, *, moves: bool = True) -> PositionView:
    """Return the view of a position, without legal moves unless `moves`."""
    game, contents = position.game, position.contents
    pieces_by_token = {token: list_pieces(game, token) for token in set(contents.values())}
    return PositionView.model_construct(  # the values are valid, so validation is skipped
        spec=game.spec,
        text=str(position),
        seat=position.seat,
        colours=list(position.colours),
        pieces={cell: pieces_by_token[token] for cell, token in contents.items()},
        moves=position.moves() if moves and position.seat is not None else [],
        territory=list_territory(position),
        scores=[ScoreView.model_construct(**score._asdict()) for score in game.text.scores(position)],
        phase=game.text.phase(position.row) if position.seat is not None else "",
        pieces_in_hand={colour: list_pieces(game, token) for colour, token in game.text.hands(position.row).items()},
        controlled=[
            ControlledColour(piece=list_pieces(game, token)[-1], by=list(by))
            for token, by in game.text.colour_control(position.row).items()
        ],
        outcome=build_outcome(position.outcome),
    )


def list_territory(position: Position) -> dict[str, list[str]]:
    """Return the territory of each colour, empty in a game without territory."""
    from ....diagrams.diagram import TerritorialGame

    game = position.game
    if not isinstance(game, TerritorialGame):
        return {}
    return {colour: list(game.text.cell_names(game.territory_cells(position, number)))
            for number, colour in enumerate(game.colours, start=1)}  # fmt: skip


def build_outcome(outcome: Outcome | None) -> OutcomeView | None:
    """Return the view of an outcome, None if the game is not over."""
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
    """Return the effect of a move in a position, or the reason why it is illegal."""
    from ....games.notation import list_cell_names

    cells, error = list(list_cell_names(position.game.board, move)), position.refusal(move)
    if error is not None:
        return Explanation(
            move=move,
            cells=cells,
            legal=False,
            message=str(error),
            illegal=build_illegal_move(error),
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


def build_illegal_move(error: IllegalMove) -> IllegalMoveInfo:
    """Return the view of the reason why a move is illegal."""
    return IllegalMoveInfo(reason=error.reason, message=str(error), witness=list(error.witness), rule=error.clause)
