/** What a call did to a file. */
export type FileTouch = 'read' | 'edited' | 'created' | 'deleted' | 'moved'

export interface TouchedPath {
  /** As it was given, `./` left out. */
  readonly path: string
  readonly touch: FileTouch
}

const HEADER =
  /^\*\*\* (Update|Add|Delete) File: (.{1,400})$|^\*\*\* Move to: (.{1,400})$|^\+\+\+ (?:b\/)?([^\s/].{0,400}|\/(?!dev\/null).{1,400})$/gm
const TOUCHES: Readonly<Record<string, FileTouch>> = { Update: 'edited', Add: 'created', Delete: 'deleted' }

/** Files a patch touches: the `*** Update File:` form of coding agents and the unified diff. */
export function readPatchPaths(text: string): readonly TouchedPath[] {
  if (!text.includes('*** ') && !text.includes('+++ ')) return []
  const isDiff = text.includes('--- ') && text.includes('@@')
  return [...text.matchAll(HEADER)].flatMap(([, action, file, target, plus]): readonly TouchedPath[] => {
    if (file !== undefined) return [{ path: file.trim(), touch: TOUCHES[action ?? ''] ?? 'edited' }]
    if (target !== undefined) return [{ path: target.trim(), touch: 'moved' }]
    const path = plus?.split('\t')[0]?.trim() ?? ''
    return isDiff && path !== '' ? [{ path, touch: 'edited' }] : []
  })
}
