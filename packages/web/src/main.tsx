import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { showCrash } from './app/show-crash.ts'
import { applyTheme, readTheme } from './app/theme.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './styles.css'

// Libraries that make style tags look here for the nonce that the page's policy asks for.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
Object.assign(globalThis, { __webpack_nonce__: nonce })
applyTheme(readTheme())

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root, {
  onUncaughtError: (error) => {
    console.error(error)
    showCrash(root)
  },
}).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
