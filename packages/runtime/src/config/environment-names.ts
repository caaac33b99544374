// Loaded before anything else of Longhaul, to start without secrets: it imports nothing.

/** Variables about the person, the terminal, places and languages. None of them is ever a key. */
const PLAIN_NAMES: ReadonlySet<string> = toNames(
  'PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ LANG LANGUAGE EDITOR VISUAL PAGER CI',
  'TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE',
  'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS',
  // Certificates of an inner network.
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO',
  // Folders that compilers, languages and their installers lie in.
  'JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PNPM_HOME ASDF_DIR PYENV_ROOT RBENV_ROOT',
  'VIRTUAL_ENV CONDA_PREFIX ANDROID_HOME SDKMAN_DIR HOMEBREW_PREFIX',
)
/** All of them by name: any other `LC_` goes over SSH as freely, and so people put other things there. */
const LOCALE =
  /^LC_(?:ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)$/
const PROXY = /^(?:https?|all|no|ftp)_proxy$/i

/** Whether a command may see a variable that the configuration does not name. */
export function isPlainVariable(name: string, value: string): boolean {
  return PLAIN_NAMES.has(name) || LOCALE.test(name) || (PROXY.test(name) && !mayHoldPassword(value))
}

/** Read by Node and by libraries inside this process, from its own environment and nowhere else. */
const PROCESS_NAMES: ReadonlySet<string> = toNames(
  'NODE_OPTIONS NODE_ENV NODE_PATH NODE_DEBUG NODE_NO_WARNINGS NODE_PENDING_DEPRECATION NODE_REDIRECT_WARNINGS',
  'NODE_COMPILE_CACHE NODE_COMPILE_CACHE_PORTABLE NODE_DISABLE_COMPILE_CACHE NODE_V8_COVERAGE NODE_ICU_DATA',
  'NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_TLS_REJECT_UNAUTHORIZED OPENSSL_CONF',
  'UV_THREADPOOL_SIZE UV_USE_IO_URING',
  // The database's own names; its password is handed over.
  'PGHOST PGPORT PGUSER PGDATABASE PGSSLMODE PGSSLROOTCERT PGSSLCERT PGSSLKEY PGAPPNAME PGOPTIONS',
  'PGCONNECT_TIMEOUT PGPASSFILE',
  // By these the terminal is recognized.
  'TERM_PROGRAM TERM_PROGRAM_VERSION TERMINAL_EMULATOR TERMUX_VERSION VTE_VERSION COLUMNS LINES ACCESSIBLE',
  'TMUX STY ZELLIJ SSH_TTY SSH_CONNECTION SSH_CLIENT DISPLAY WT_SESSION WEZTERM_PANE KITTY_WINDOW_ID',
  'ITERM_SESSION_ID GHOSTTY_RESOURCES_DIR WARP_TERMINAL_SESSION_UUID',
)
const ADDRESS = /^(?:ANTHROPIC|OPENAI)_BASE_URL$/
/** Of OpenTelemetry: what it is to do, and how much of it. Its headers hold keys. */
const TELEMETRY = new RegExp(
  `^OTEL_(?:${[
    'SDK_DISABLED|SERVICE_NAME|LOG_LEVEL|PROPAGATORS|RESOURCE_ATTRIBUTES|SEMCONV_STABILITY_OPT_IN',
    '(?:TRACES|METRICS|LOGS)_(?:EXPORTER|SAMPLER|SAMPLER_ARG)|METRIC_EXPORT_(?:INTERVAL|TIMEOUT)',
    '(?:BSP|BLRP)_[A-Z_]+|[A-Z_]+_LIMIT|NODE_[A-Z_]+|INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    'EXPORTER_OTLP_(?:(?:TRACES|METRICS|LOGS)_)?(?:ENDPOINT|PROTOCOL|TIMEOUT|COMPRESSION|INSECURE|CERTIFICATE)',
  ].join('|')})$`,
)
/** Names, parted by commas, of variables that somebody wants in the process all the same. */
const KEEP_NAME = 'LONGHAUL_KEEP'

export type Variables = Readonly<Record<string, string | undefined>>

/** Whether a variable may stand in the environment of a long-running Longhaul, where other processes can read it. */
export function createMayStay(environment: Variables): (name: string, value: string) => boolean {
  const kept = new Set((environment[KEEP_NAME] ?? '').split(',').map((name) => name.trim()))
  return (name, value) =>
    kept.has(name) ||
    PROCESS_NAMES.has(name) ||
    isPlainVariable(name, value) ||
    ((TELEMETRY.test(name) || ADDRESS.test(name)) && !mayHoldPassword(value))
}

/** A user and a password stand before an @; a password may hold any character, so nothing around it is looked at. */
function mayHoldPassword(address: string): boolean {
  return address.includes('@')
}

function toNames(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
