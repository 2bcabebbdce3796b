export const TEXT_FILES: Record<string, 'text'>
