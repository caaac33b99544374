/**
 * uPlot asks for a number format of the browser's language as it loads, and cannot be loaded where that is no language:
 * Chromium started under `LANG=C` says `en-US@posix`.
 */
export function ensureLanguage(browser: { readonly language: string } = navigator): void {
  try {
    Intl.getCanonicalLocales(browser.language)
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en', configurable: true })
  }
}
