import { findPaths } from './find-paths.ts'
import type { Intent, Slots, ToolAsk } from './tool-ask.ts'

/** A clause that fits a rule. */
interface Heard {
  readonly words: string
  readonly groups: readonly string[]
  /** The whole message the clause stands in. */
  readonly message: string
}

/** How people ask for tools. The first rule that makes something of a clause has it, so narrow ones stand first. */
export const TOOL_ASK_RULES: readonly {
  readonly pattern: RegExp
  readonly read: (heard: Heard) => readonly ToolAsk[]
}[] = [
  {
    pattern: /^(?:fetch|get|download|open|load|visit|read|show|curl|look at|check|summari[sz]e|go to)\b.*?https?:\/\//i,
    read: ({ words }) =>
      [...new Set(words.match(/https?:\/\/[^\s"'`<>)\]]+/gi))].map((url) =>
        wish('fetch', { url: url.replace(/[.,;:!?]+$/, '') }),
      ),
  },
  {
    pattern:
      /^(?:run|execute|exec)\s+(?:(?:the\s+)?(?:shell\s+)?command\s*:?\s+)?(`[^`]+`|(?!(?:the|an?|my|all|it|this|that|again|away|out|some|your|our|by|into|over|for|with|on|in|through|up|down|to|from|at|as|if|when|before|after)\b)\S.*)$/i,
    read: ({ groups: [command = ''] }) => [wish('run-command', { command: unquote(command) })],
  },
  {
    pattern:
      /^(?:remember|memori[sz]e|keep in mind|don['’]?t forget|note(?: down)?|(?:save|store|add|write|put)(?:\s+(?:this|that|it))?\s+(?:to|in|into)\s+(?:your\s+|the\s+|long-term\s+)?memory)\b[:,]?\s+(?:that\s+|this:\s*)?(\S.*[^?？])$/i,
    read: ({ groups: [content = ''] }) => [wish('remember', { content })],
  },
  {
    pattern: /^(?:search|look|check|query|find|grep)\b.*?\b(?:memory|memories)\b\s*(?:for|about|on)?[:\s]+(\S.*)$/i,
    read: ({ groups: [query = ''] }) => [wish('search-memory', { query: unquote(query) })],
  },
  {
    pattern: /^(?:search|look)(?:\s+up)?(?:\s+for)?\s+(\S.*?)\s+in\s+(?:your\s+|the\s+)?(?:memory|memories)$/i,
    read: ({ groups: [query = ''] }) => [wish('search-memory', { query: unquote(query) })],
  },
  {
    pattern: /^(?:read|get|open|show)\s+(?:the\s+|your\s+)?memor(?:y|ies)\s+(?:file\s+)?(\S+)$/i,
    read: ({ groups: [path = ''] }) => [wish('read-memory', { path: unquote(path) })],
  },
  { pattern: /^recall\s+(\S.*)$/i, read: ({ groups: [query = ''] }) => [wish('recall', { query: unquote(query) })] },
  {
    pattern: /^(?:read|get|open|show)\s+(?:the\s+|me\s+)?artifact\s+(\S+)$/i,
    read: ({ groups: [id = ''] }) => [wish('read-artifact', { id: unquote(id) })],
  },
  {
    pattern:
      /^(?:search|look|grep|find)(?:\s+through)?\s+(?:in\s+)?(?:all\s+|the\s+|my\s+)*(?:files?|code|project|repo(?:sitory)?|workspace)\s+for\s+(\S.*)$/i,
    read: ({ groups: [query = ''] }) => [wish('search-files', { query: unquote(query) })],
  },
  {
    pattern:
      /^(?:search(?:\s+for)?|look\s+for|grep|find)\s+(\S.*?)\s+in\s+(?:all\s+|the\s+|my\s+)*(files?|code|project|repo(?:sitory)?|workspace|\S*[./]\S*)$/i,
    read: ({ groups: [query = '', place = ''] }) => [
      wish('search-files', { query: unquote(query), ...inFolder(place) }),
    ],
  },
  {
    pattern: /^grep\s+(\S.*)$/i,
    read: ({ groups: [query = ''] }) => [wish('search-files', { query: unquote(query) })],
  },
  {
    pattern:
      /^(?:list\b.*\b(?:files|folders?|director(?:y|ies)|dir)\b|show(?: me)?(?: all| the| my)* (?:files|folder|directory)\b|what files (?:are|do|exist)\b)/i,
    read: ({ words }) => [wish('list-files', inFolder(words))],
  },
  { pattern: /^(?:ls|dir)\b/i, read: ({ words }) => [wish('list-files', inFolder(words))] },
  {
    pattern: /^(?:append|add)\s+(\S.*?)\s+to\s+(?:the\s+)?(?:end of\s+)?(?:the\s+)?(?:file\s+)?(\S+)$/i,
    read: ({ groups }) => writeTo('append-file', groups[0], groups[1]),
  },
  {
    pattern:
      /^(?:write|save|put|store)\s+(?:this|that|the following|it)?\s*(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?(\S+?):?$/i,
    read: ({ groups, words, message }) => writeTo('write-file', contentAfter(message, words), groups[0]),
  },
  {
    pattern:
      /^(?:write|save|put|store)\s+(\S.*?)\s+(?:to|into|in)\s+(?:the\s+|a\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+)$/i,
    read: ({ groups }) => writeTo('write-file', groups[0], groups[1]),
  },
  {
    pattern:
      /^(?:create|make|write)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+)\s+(?:with|containing|saying|that says)\s+(?:the\s+(?:text|content|words?|line)\s+)?(\S.*)$/i,
    read: ({ groups }) => writeTo('write-file', groups[1], groups[0]),
  },
  {
    pattern: /^(?:read|open|show|cat|print|view|display|load|look at|check|go through|summari[sz]e)\b/i,
    read: ({ words }) => findPaths(words).map((path) => wish('read-file', { path })),
  },
]

function wish(intent: Intent, slots: Slots): ToolAsk {
  return { kind: 'intent', intent, slots }
}

function writeTo(intent: Intent, content = '', file = ''): readonly ToolAsk[] {
  const [path] = findPaths(file)
  return path === undefined || content.trim() === '' ? [] : [wish(intent, { content: unquote(content), path })]
}

function inFolder(words: string): Slots {
  const path =
    findPaths(words)[0] ??
    /\b(?:in|of|under|at|inside)\s+(?:the\s+)?(?:folder\s+|directory\s+)?([\w.-]+)$/i.exec(words)?.[1]
  return path === undefined || /^(?:here|this|the|current|workspace|project|folder|directory|files?)$/i.test(path)
    ? {}
    : { path }
}

/** "Write this to a.txt:" and then what to write. */
function contentAfter(message: string, words: string): string {
  const at = message.indexOf(words)
  const after = at < 0 ? '' : message.slice(at + words.length).replace(/^[\s:.]+/, '')
  return /^ {0,3}(```|~~~)[^\n]*\n([\s\S]*?)\n?\s*\1/.exec(after)?.[2] ?? after.trim()
}

export function unquote(text: string): string {
  return /^\s*(["'`])([\s\S]*)\1\s*$/.exec(text)?.[2] ?? text.trim()
}
