export const RECORDED: Readonly<Record<string, { spec: string; moves: readonly string[] }>> = {};
