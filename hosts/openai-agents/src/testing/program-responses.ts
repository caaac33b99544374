// The same agent with the Responses model, which is the SDK's default.
process.env['OPENAI_AGENTS_API'] = 'responses'
await import('./program.ts')
