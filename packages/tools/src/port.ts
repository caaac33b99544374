// What a tool is, to the agent and to whoever brings one of their own. Types alone.
export type { Permission, Tool, ToolContext, ToolOutcome, WordOrigin } from './port/tool.ts'
