import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { ToolSchema } from '@longhaul/engine'
import { isRecord, remember, textOf, toJsonObject } from '@longhaul/engine/advanced'
import type { ModelRequest } from 'langchain'

type Model = ModelRequest['model']
type Tool = ModelRequest['tools'][number]
type Fields = Readonly<Record<string, unknown>>

/** The model's id, such as `openai/gpt-5`, where the model tells it. */
export function modelIdOf(model: Model): string | undefined {
  const { model: id, modelName, _llmType } = model as unknown as Fields
  const name = textOf(id ?? modelName)
  if (name === '') return undefined
  const vendor = typeof _llmType === 'function' ? textOf(_llmType.call(model)) : ''
  return vendor === '' || name.includes('/') ? name : `${vendor}/${name}`
}

/** The most that the model reads, as LangChain's profile of it says; null: there is none. */
export function windowOf(model: Model): number | null {
  const { profile } = model as unknown as Fields
  const tokens = isRecord(profile) ? profile['maxInputTokens'] : undefined
  return typeof tokens === 'number' && tokens >= 1 ? tokens : null
}

/** A tool as it is measured: its description is part of every request. */
export const describeTool = remember((tool: Tool): ToolSchema => {
  const fields = tool as unknown as Fields
  const { name, description, schema } = fields
  if (typeof name !== 'string' || !isRecord(schema)) {
    // A tool of the provider's, in its own format.
    return { name: textOf(name ?? fields['type']), description: '', inputSchema: toJsonObject(fields) }
  }
  return { name, description: textOf(description), inputSchema: toJsonObject(toJsonSchema(schema as never)) }
})
