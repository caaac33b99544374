import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'

export interface TokenDialogProps {
  /** One was given before, and it was not right. */
  readonly wasWrong: boolean
  readonly onToken: (token: string) => void
}

/** In place of everything else: without its token, this server answers nothing. */
export function TokenDialog({ wasWrong, onToken }: TokenDialogProps) {
  const [token, setToken] = useState('')
  return (
    <main className="flex h-full items-center justify-center p-6">
      <form
        className="w-full max-w-sm space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') onToken(token.trim())
        }}
      >
        <img src="/icon.svg" alt="" className="size-10" />
        <h1 className="text-xl font-semibold">This server asks for a token</h1>
        <p className="text-sm text-muted">
          It is the value of LONGHAUL_TOKEN where the server runs. It is kept in this tab only.
        </p>
        <TextField
          label="Token"
          type="password"
          autoComplete="current-password"
          autoFocus
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        {wasWrong && (
          <p role="alert" className="text-sm text-danger">
            That token is not the right one.
          </p>
        )}
        <Button look="primary" type="submit" className="w-full" disabled={token.trim() === ''}>
          Continue
        </Button>
      </form>
    </main>
  )
}
