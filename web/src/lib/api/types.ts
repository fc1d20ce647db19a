/** Names for what the server sends and takes; schema.d.ts is generated from its OpenAPI document by `npm run types`. */
import type { components, operations } from "./schema";

type Schemas = components["schemas"];

export type Cell = Schemas["Cell"];
export type MapLayout = Schemas["MapLayout"];
export type MapPlacement = Schemas["MapPlacement"];
export type PieceSizes = Schemas["PieceSizes"];
export type Point = MapPlacement["centre"];
export type Point3 = Cell["centre"];
export type Piece = Schemas["PieceInfo"];
export type BoardView = Schemas["BoardView"];

export type GameEntry = Schemas["GameEntry"];
export type GameView = Schemas["GameView"];
export type VariantChoiceView = Schemas["VariantChoiceView"];
export type VariantParameter = VariantChoiceView["parameters"][number];

export type PositionRequest = Schemas["PositionRequest"];
export type PositionView = Schemas["PositionView"];
export type ScoreView = Schemas["ScoreView"];
export type OutcomeView = Schemas["OutcomeView"];
export type Explanation = Schemas["Explanation"];
export type IllegalMoveInfo = Schemas["IllegalMoveInfo"];
export type AnalysisStreamRequest = Schemas["AnalysisStreamRequest"];
export type AnalysisStreamMessage = Schemas["AnalysisStreamMessage"];
export type AnalysisReport = Schemas["AnalysisMessage"];
export type QueuePosition = Schemas["QueuedMessage"];
export type AnalysisLine = Schemas["AnalysisLineView"];

export type ReviewView = Schemas["ReviewView"];
export type EvaluationView = Schemas["EvaluationView"];
export type MoveReviewView = Schemas["MoveReviewView"];

export type ExplorerView = Schemas["ExplorerView"];
export type ExplorerMoveView = Schemas["ExplorerMoveView"];
export type AnalysisTree = Schemas["AnalysisTree"];
export type AnalysisNode = Schemas["AnalysisNode"];
export type MarkShape = AnalysisNode["marks"][string];
export type AnalysisSummary = Schemas["AnalysisSummaryView"];
export type SavedAnalysis = Schemas["SavedAnalysisView"];
export type EditRequest = Schemas["EditRequest"];
export type KnownView = Schemas["KnownView"];
export type ClaimView = Schemas["ClaimView"];

export type PuzzleList = Schemas["PuzzleList"];
export type PuzzleOverview = Schemas["PuzzleOverview"];
export type PuzzleView = Schemas["PuzzleView"];
export type PuzzleAttemptView = Schemas["PuzzleAttemptView"];
export type PuzzleMoveResponse = Schemas["PuzzleMoveResponse"];
export type PuzzleHintView = Schemas["PuzzleHintView"];

export type UserView = Schemas["UserView"];
export type RatingView = Schemas["RatingView"];
export type PlayerView = Schemas["PlayerView"];
export type Credentials = Schemas["Credentials"];
export type ChangePasswordRequest = Schemas["ChangePasswordRequest"];
export type SessionView = Schemas["SessionView"];
export type BotView = Schemas["BotView"];
export type CreateBotResponse = Schemas["CreateBotResponse"];

export type NotificationsView = Schemas["NotificationsView"];
export type SubscribeRequest = Schemas["SubscribeRequest"];
export type EmailRequest = Schemas["EmailRequest"];

export type CreateMatchRequest = Schemas["CreateMatchRequest"];
export type MatchView = Schemas["MatchView"];
export type SeatRatingView = Schemas["SeatRatingView"];
export type MatchStateView = Schemas["MatchStateView"];
export type MatchSummary = Schemas["MatchSummary"];
export type PlayedMoveView = Schemas["PlayedMoveView"];
export type ClockSettings = MatchView["clock"];
export type ClockView = Schemas["ClockView"];
export type EventView = Schemas["EventView"];
export type LobbyView = Schemas["LobbyView"];
export type LobbyEventView = Schemas["LobbyEventView"];

export type NoticesView = Schemas["NoticesView"];
export type ReportRequest = Schemas["ReportRequest"];
export type MatchQuery = NonNullable<operations["search_matches_api_matches_get"]["parameters"]["query"]>;

export type CreateTournamentRequest = Schemas["CreateTournamentRequest"];
export type AddPlayerRequest = Schemas["AddPlayerRequest"];
export type TournamentSummary = Schemas["TournamentSummary"];
export type TournamentView = Schemas["TournamentView"];
export type TournamentGameView = Schemas["TournamentGameView"];
export type StandingView = Schemas["StandingView"];

export type MatchAction = Schemas["ClientMessage"];
export type MatchMessage = Schemas["MatchMessage"];
export type LobbyMessage = Schemas["LobbyMessage"];
export type ErrorView = Schemas["ErrorView"];
