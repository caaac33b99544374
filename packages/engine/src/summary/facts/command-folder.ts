const CHANGE_OF_FOLDER = /^\s*cd\s+("[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s;&|]{1,400})\s*(?:&&|;)\s*(?=\S)/

export interface CommandInFolder {
  /** Empty: wherever the session runs. */
  readonly folder: string
  readonly command: string
}

/** `cd FOLDER && COMMAND` taken apart: many commands of a session run in the same few folders. */
export function splitFolder(text: string): CommandInFolder {
  const match = CHANGE_OF_FOLDER.exec(text)
  if (match === null) return { folder: '', command: text }
  return { folder: (match[1] ?? '').replace(/^(["'])(.*)\1$/, '$2'), command: text.slice(match[0].length) }
}
