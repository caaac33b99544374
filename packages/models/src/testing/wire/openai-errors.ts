import type { WireHttpError } from './wire.ts'

/** The shape both of OpenAI's formats share. */
export function openaiError(
  status: number,
  code: string | null,
  message: string,
  param: string | null = null,
): WireHttpError {
  return { status, body: { error: { message, type: 'invalid_request_error', param, code } } }
}

export function openaiKeyOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['authorization']?.replace(/^Bearer /, '') ?? null
}

/** OpenAI quotes the beginning and the end of the key it was given. */
export function openaiWrongKey(key: string): WireHttpError {
  return openaiError(
    401,
    'invalid_api_key',
    `Incorrect API key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  )
}
