import type { Tool } from './port/tool.ts'

/** By the name of a tool; `*` is for all that are not named. */
export type ToolPermissions = Readonly<Record<string, 'allow' | 'ask' | 'deny'>>

/** What the configuration says about a tool goes before what the tool says itself; a tool's own "no" always stands. */
export function setPermissions(tools: readonly Tool[], permissions: ToolPermissions): readonly Tool[] {
  return tools.map((tool) => {
    const set = permissions[tool.name] ?? permissions['*']
    if (set === undefined) return tool
    return {
      ...tool,
      run: (input, context) => tool.run(input, set === 'allow' ? { ...context, isApproved: true } : context),
      async permit(input) {
        if (set === 'deny') return { verdict: 'deny', reason: `${tool.name} is switched off in the configuration.` }
        const own = await tool.permit(input)
        if (own.verdict === 'deny' || set === 'allow') return own.verdict === 'deny' ? own : { verdict: 'allow' }
        return { verdict: 'ask', reason: own.verdict === 'ask' ? own.reason : `Use ${tool.name}?` }
      },
    }
  })
}
