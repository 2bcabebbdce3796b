export const TOWNS_FILE: string
export function makeGazetteer(): string
