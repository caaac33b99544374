/** Names that everybody in the trade knows without being told: forgetting them costs nothing. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const FILE_EXTENSIONS = words(`
  ts tsx mts cts js jsx mjs cjs py pyi ipynb rb erb ex exs eex heex leex erl hrl rs go java kt kts swift m mm c h cc cpp cxx hpp
  cs fs fsx vb php pl pm lua r jl dart scala clj cljs hs ml mli zig nim pony v sv vhd asm s html htm css scss sass less vue svelte
  astro json jsonl ndjson json5 yaml yml toml lock xml xsl svg csv tsv md mdx rst adoc txt text log sh bash zsh fish ps1 bat cmd
  sql db sqlite sqlite3 parquet ini cfg conf env properties plist tf tfvars proto graphql gql prisma png jpg jpeg gif webp ico
  pdf doc docx xls xlsx ppt pptx zip tar gz tgz bz2 xz 7z jar war wasm so dll dylib exe bin dat pem key crt cer pub patch diff
  mp3 mp4 wav mov avi mkv srt ttf woff woff2 snap tmpl tpl j2 mustache hbs ejs pug gradle cmake mk nix dockerfile enc
`)

/** Ends of files that are as often a field or a method: `console.log`, `self.db`. With a folder before it, it is a file. */
const AMBIGUOUS = words(
  'log text db key env lock bin dat pub so c h m r v s d pl pm cmd conf enc patch diff war go rs cs map',
)

/** `a.b` is a file where the end is a file's; `socket.assigns` is not one. */
export function isFileName(name: string, hasFolder: boolean): boolean {
  const dot = name.lastIndexOf('.')
  if (dot < 1 || dot > 120) return false
  const end = name.slice(dot + 1).toLowerCase()
  if (!hasFolder && AMBIGUOUS.has(end) && /[\p{Ll}\d]\p{Lu}|^\w{1,7}\./u.test(name)) return false
  return FILE_EXTENSIONS.has(end) && /^[\p{L}\p{N}_.@()[\]$ +-]+$/u.test(name)
}

/** Files that a project of a kind has in any case. */
export const KNOWN_FILES = words(`
  package.json package-lock.json pnpm-lock.yaml pnpm-workspace.yaml yarn.lock bun.lock tsconfig.json jsconfig.json readme.md
  changelog.md contributing.md license.md license.txt security.md claude.md agents.md gemini.md skill.md todo.md index.ts
  index.tsx index.js index.jsx index.mjs index.html index.md main.ts main.js main.py main.go main.rs mod.rs lib.rs app.ts app.js
  app.tsx app.py app.css style.css styles.css __init__.py __main__.py setup.py setup.cfg pyproject.toml requirements.txt
  conftest.py manage.py cargo.toml cargo.lock go.mod go.sum mix.exs mix.lock config.exs test_helper.exs runtime.exs gemfile.lock
  composer.json pom.xml build.gradle cmakelists.txt docker-compose.yml docker-compose.yaml vite.config.ts vite.config.js
  vitest.config.ts jest.config.js eslint.config.js eslint.config.mjs biome.json settings.json config.json config.yaml config.yml
  config.toml .env.example makefile.am data.json test.ts test.js test.py tests.py utils.ts utils.js utils.py types.ts
  settings.local.json error.log output.txt output.log node.js next.js vue.js three.js react.js d3.js
`)

/** Words with capitals or digits inside, formats, and names of every runtime's own library. */
export const KNOWN_WORDS = words(`
  javascript typescript coffeescript postgresql mysql mongodb github gitlab bitbucket openai chatgpt youtube linkedin whatsapp
  iphone macos webassembly websocket websockets graphql latex powershell stackoverflow devops noscript nodejs next.js node.js
  utf-8 utf-16 utf8 iso-8859-1 x86_64 arm64 aarch64 amd64 sha256 sha512 sha-256 base64 es2020 es2022 es2023 es2024 http/1.1
  oauth2 k8s i18n l10n a11y w3c ipv4 ipv6 mp3 mp4 h264 web3 log4j s3 ec2 gpt-4 gpt-4o gpt-5
  node_modules __init__ __main__ __name__ dist-packages site-packages .gitignore readme todo fixme localhost
  console.log console.error json.stringify json.parse object.keys object.entries array.from promise.all math.max math.min
  addeventlistener removeeventlistener queryselector queryselectorall getelementbyid createelement innerhtml textcontent
  classname onclick onchange onsubmit preventdefault stoppropagation settimeout setinterval cleartimeout clearinterval
  requestanimationframe localstorage sessionstorage usestate useeffect usememo usecallback useref usecontext usereducer
  tostring tolowercase touppercase indexof startswith endswith hasownproperty instanceof typeof foreach parseint parsefloat
  readfile writefile readfilesync writefilesync existssync mkdirsync child_process process.env process.cwd import.meta
  beforeeach aftereach beforeall afterall tobe toequal tohavelength
  file_path old_string new_string tool_use tool_result tool_call tool_calls tool_name max_tokens system_prompt run_command
  read_file write_file edit_file apply_patch str_replace str_replace_editor execute_bash todo_write todowrite webfetch websearch
  multiedit notebookedit bashoutput killshell exitplanmode askuserquestion replace_all run_in_background
  in_progress not_found bad_request internal_server_error status_code content_type content-type application/json
  typeerror valueerror keyerror indexerror attributeerror nameerror importerror modulenotfounderror filenotfounderror
  assertionerror runtimeerror notimplementederror permissionerror timeouterror unicodedecodeerror referenceerror syntaxerror
  rangeerror stopiteration keyboardinterrupt nullpointerexception illegalargumentexception illegalstateexception
  ioexception argumenterror functionclauseerror undefinedfunctionerror nomethoderror nonetype nullpointer
  pull_request end_to_end e2e created_at updated_at inserted_at deleted_at user_id session_id file_name
`)
