import { createClient } from '@longhaul/protocol'
import { useMemo, useState } from 'react'
import { SnackbarProvider } from '../ui/snackbar.tsx'
import { ClientProvider } from '../api/client-context.tsx'
import { Shell } from './shell.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { keepToken, readToken } from './token.ts'

const UNAUTHORIZED = 401

/** Everything on the page, around one client that knows this tab's token. */
export function App() {
  const [token, setToken] = useState(readToken)
  const [isRefused, setIsRefused] = useState(false)
  const client = useMemo(
    () =>
      createClient({
        ...(token === undefined ? {} : { token }),
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          if (response.status === UNAUTHORIZED) setIsRefused(true)
          return response
        },
      }),
    [token],
  )

  if (isRefused)
    return (
      <TokenDialog
        wasWrong={token !== undefined}
        onToken={(next) => {
          keepToken(next)
          setToken(next)
          setIsRefused(false)
        }}
      />
    )
  return (
    <ClientProvider value={client}>
      <SnackbarProvider>
        <Shell />
      </SnackbarProvider>
    </ClientProvider>
  )
}
