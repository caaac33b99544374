/** Files that somebody obeys or runs without being told to, and why a person is asked before one is written. */
interface SteeringRule {
  /** Said to the person who is asked, after the path. */
  readonly reason: string
  /**
   * Patterns separated by spaces, without regard to case. `name` is a file of that name at any depth; `name/` is also a
   * folder with everything below it; `/name` and `/name/` stand in the workspace itself only; `*` is any part of a name.
   */
  readonly names: string
}

/**
 * The one table of names that `write_file` asks about. To add a name, put it in the row whose reason fits it.
 *
 * The line is drawn at what takes effect without another decision of a person: a program reads it when it starts, when a
 * folder is entered or opened, when a dependency is installed, at a commit or a push, or an agent takes it for orders.
 * Ordinary sources are not asked about, or the tool would be useless, although a test or a build runs them later too; nor
 * are settings that only describe style (`.editorconfig`, `.gitignore`, `tsconfig.json`). So this table keeps a model
 * from planting something unseen; it does not make what a model writes safe to run. Names that `judge-write.ts` cannot
 * know – whatever is executable already, begins with `#!`, or is reached through a link – it asks about by itself.
 */
const RULES: readonly SteeringRule[] = [
  {
    reason: 'It is read into every later conversation.',
    names: '/AGENTS.md /SOUL.md /IDENTITY.md /USER.md /TOOLS.md /MEMORY.md /memory/',
  },
  {
    reason: 'Agents that work in this folder obey it.',
    names: `AGENTS.md AGENTS.*.md AGENT.md CLAUDE.md CLAUDE.*.md GEMINI.md QWEN.md WARP.md CRUSH.md SKILL.md replit.md
      copilot-instructions.md .cursorrules .cursor/ .cursorignore .windsurfrules .windsurf/ .clinerules*/ .roorules*/ .roo/
      .roomodes .continue/ .kilocode*/ .qwen/ .crush*/ crush.json .factory/ .copilot/ .grok/ .tabnine/ .continuerules
      .goosehints .junie/ .kiro/ .trae/ .augment/ .amazonq/ .codex/ .gemini/ .opencode/
      opencode.json* .openhands/ .openclaw/ .pi/ .agents/ .agent/ .claude/ .claude.json .aider* .rules .mcp.json mcp.json`,
  },
  {
    reason: 'Version control runs or obeys what stands in it.',
    // A folder with a file HEAD is a repository to git, settings and hooks included. git~1 is .git on Windows.
    names: `.git/ git~1/ .hg/ .svn/ .jj/ .bzr/ HEAD .gitmodules .gitconfig .gitconfig.* .hgrc .husky/ .githooks/
      .pre-commit-config.y*ml .pre-commit-hooks.y*ml lefthook* .lefthook*/ .overcommit.yml .lintstagedrc*`,
  },
  {
    reason: 'A server that builds or deploys this project runs what it says.',
    names: `.github/ .gitlab/ .gitlab-ci.yml *.gitlab-ci.yml .gitea/ .forgejo/ .circleci/ .buildkite/ .teamcity/ .ci/ .travis.yml
      .cirrus.yml .drone.y*ml .woodpecker*/ .appveyor.yml appveyor.yml azure-pipelines*.y*ml bitbucket-pipelines.yml
      cloudbuild.y*ml Jenkinsfile* netlify.toml vercel.json fly.toml Procfile .replit .gitpod.* .idx/`,
  },
  {
    reason: 'A shell or another program reads it when it starts, or when this folder is entered.',
    names: `.env* .direnv/ .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv
      .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc config.fish .xprofile .xinitrc .xsession
      .config/ .local/ .aws/ .azure/ .kube/ .docker/ .gradle/ .m2/ .my.cnf .sqliterc .mailcap .ssh/ .gnupg/ .netrc .curlrc
      .wgetrc .vimrc .gvimrc .exrc .nvimrc .nvim.lua .emacs .emacs.d/ .dir-locals.el
      .tmux.conf .screenrc .gdbinit .lldbinit .psqlrc .irbrc .pryrc .Rprofile .Renviron .pdbrc
      .pythonrc* .tool-versions
      mise.toml mise.*.toml .mise.toml .mise/ .devcontainer/ .devcontainer.json devbox.json devenv.nix shell.nix flake.nix
      flake.lock .htaccess .user.ini ansible.cfg autorun.inf desktop.ini *.desktop *.lnk`,
  },
  {
    reason: 'An editor reads it when this folder is opened, and may run what it says.',
    names: '.vscode/ *.code-workspace .idea/ *.iml .vs/ .fleet/ .zed/ .nova/ *.sublime-project',
  },
  {
    reason: 'It decides which code of others is fetched, or what runs when it is installed.',
    names: `package.json package-lock.json npm-shrinkwrap.json .npmrc .yarnrc* .yarn/ yarn.lock .pnpmfile.* pnpmfile.*
      pnpm-*.yaml bun.lock* bunfig.toml .pnp.* deno.json* deno.lock node_modules/ pyproject.toml setup.py setup.cfg
      poetry.lock uv.lock uv.toml Pipfile Pipfile.lock requirements*.txt pip.conf .pypirc .condarc .venv/ site-packages/ *.pth
      Cargo.toml Cargo.lock .cargo/ build.rs rust-toolchain* go.mod go.sum go.work Gemfile Gemfile.lock *.gemspec .bundle/
      composer.json composer.lock pom.xml .mvn/ mvnw* build.gradle* settings.gradle* gradle.properties gradlew* build.sbt
      *.csproj *.fsproj *.vbproj *.props *.targets nuget.config global.json mix.exs Package.swift pubspec.* default.nix`,
  },
  {
    reason: 'A build, a test or a check runs it, or takes from it what to run.',
    names: `Makefile GNUmakefile *.mk CMakeLists.txt *.cmake CMakePresets.json CMakeUserPresets.json justfile .justfile
      Taskfile.y*ml Rakefile meson.build BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc SConstruct
      wscript configure configure.ac Dockerfile* *.dockerfile Containerfile* docker-compose*.y*ml compose.y*ml
      compose.*.y*ml Vagrantfile Tiltfile Earthfile gulpfile.* Gruntfile.* nx.json turbo.json lerna.json angular.json
      *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts *.conf.js *.conf.ts *.config.json
      .storybook/ .babelrc* .swcrc .eslintrc* .prettierrc* .stylelintrc* .mocharc* .nycrc* .rspec .rubocop.yml phpunit.xml* pytest.ini tox.ini noxfile.py
      conftest.py sitecustomize.py usercustomize.py mypy.ini .mypy.ini .pylintrc pylintrc .flake8 .coveragerc`,
  },
]

const ROWS = RULES.map(({ names, reason }) => ({ reason, patterns: names.split(/\s+/).map(readPattern) }))

/** No system opens a longer path, so the table is not asked about it. */
const MAX_PATH_CHARS = 32_768
const TOO_LONG = 'Its path is longer than any system takes.'

/** Why a person is asked before a file is written; null: it is not in the table. `path` is relative to the workspace. */
export function findSteeringReason(path: string): string | null {
  if (path.length > MAX_PATH_CHARS) return TOO_LONG
  const names = path.split(/[/\\]+/).map(plainName)
  const row = ROWS.find(({ patterns }) => patterns.some((matches) => matches(names)))
  return row?.reason ?? null
}

/** All patterns of the table, as they are written in it. */
export function listSteeringNames(): readonly string[] {
  return RULES.flatMap(({ names }) => names.split(/\s+/))
}

/** Some file systems see no difference in case, in invisible characters, or in dots and spaces at the end of a name. */
function plainName(name: string): string {
  const shown = name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
  let end = shown.length
  // A pattern for the end of a name would look on from each of its dots.
  while (end > 0 && '. '.includes(shown.charAt(end - 1))) end -= 1
  return shown.slice(0, end).toLowerCase()
}

/** A pattern of the table as a test of a path, given as its names from the workspace down. */
function readPattern(pattern: string): (names: readonly string[]) => boolean {
  const [, root = '', name = '', folder = ''] = /^(\/?)([^/]+)(\/?)$/.exec(pattern) ?? []
  const escaped = name.toLowerCase().replaceAll(/[.+?^${}()|[\]\\~]/g, String.raw`\$&`)
  const expression = new RegExp(`^${escaped.replaceAll('*', '.*')}$`)
  const [isInRoot, isFolder] = [root === '/', folder === '/']
  return (names) =>
    names.some(
      (each, depth) => (!isInRoot || depth === 0) && (isFolder || depth === names.length - 1) && expression.test(each),
    )
}
