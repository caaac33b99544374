import type { SummaryProblem } from '../summary/check-summary.ts'

/** Summaries as models write them, chosen for what could make a strict reader refuse them. */
export const GOOD_SUMMARIES = {
  'an English narrative':
    'The user is looking for contract work as a senior .NET developer, remote, at £500 to £700 a day, with the criteria in `search-prompt.txt`. ' +
    'The assistant searched twice and found ten positions on LinkedIn and seven in e-mails. Five were read closely: Acme scored 7/10 (https://jobs.example/acme-41), ' +
    'Birch 6/10, and three were dropped because they are on site. The rubric weighs stack 30 %, remote 20 %, pay 25 % and growth 25 %. ' +
    'The report is in `todays-jobs-2026-02-17.md`. Next: score the two positions that came in last, then write the cover note.',
  'English headings with bullets': [
    '## Goal',
    '- Move the billing service to Postgres 16 without downtime.',
    '',
    '## Decisions',
    '- Logical replication, because a dump would take 6 hours.',
    '- Cut-over on Sunday 04:00 UTC; the user confirmed.',
    '',
    '## State',
    '1. Schema copied (done)',
    '2. Replication slot `billing_move` created (done)',
    '3. Lag is 14 s and falling (in progress)',
    '',
    '## Open questions',
    'Should the old host stay up for a week?',
  ].join('\n'),
  'a summary that quotes errors and is about errors': [
    "Error: the build failed with `TypeError: Cannot read properties of undefined (reading 'map')` in src/list.tsx:41; the user asked to fix it. " +
      'The cause was a missing default for `rows`. After the fix the API answered {"error":{"code":"busy"}} with status 429 (rate limit exceeded), ' +
      'which the assistant handled by retrying with a growing delay. The test suite then passed (212 tests). Still open: the service is overloaded at noon, ' +
      'and the user wants an alarm for that. The messages "I\'m sorry, but I can\'t help with that" in the log come from the chat bot under test, not from the assistant. ' +
      'Nothing else was changed, and the branch is `fix/list-default`.',
  ].join('\n'),
  'a summary that quotes questions': [
    '- User asked: "Would you like me to deploy now?" must never appear in the bot’s replies.',
    '- The assistant asked whether to delete `old/`; no answer yet.',
    '- Pending from the user: “Which region do you want?”',
  ].join('\n'),
  'a summary that ends in an open question':
    'The user is building a recipe app with Expo. Login and the list view are done. The assistant proposed SQLite or MMKV for storage. Open question: should I use SQLite?',
  'a narrative in the first person':
    'I was asked to rename the package to `longhaul`. I renamed it in package.json and in 14 imports, ran the tests (all passed) and pushed the branch `rename`. The user still wants the README changed; I had not started on it.',
  'a summary that speaks to the user':
    'You asked for a training plan for a half marathon on 12 April. You prefer running before work, and you have a sore left knee. We agreed on three runs a week, the long one on Sunday. The plan for weeks 1 to 4 is written; weeks 5 to 8 are still to do.',
  'German bullets': [
    '- Ziel: Der Nutzer möchte den Dienst `rechnung` bis Freitag auf einen neuen Rechner umziehen; der alte soll so lange weiterlaufen.',
    '- Entschieden: Umzug über eine Replik, weil ein Abzug sechs Stunden dauern würde.',
    '- Stand: Replik läuft auf 10.0.4.12, der Rückstand ist kleiner als eine Minute.',
    '- Offen: Wann darf der alte Rechner aus? Der Nutzer hat darauf noch nicht geantwortet.',
    '- Fehler beim ersten Versuch: „Ich kann dabei leider nicht helfen“ stand im Protokoll des Bots und ist nicht von Belang.',
  ].join('\n'),
  'a German narrative':
    'Der Nutzer hat um Hilfe bei seiner Steuererklärung gebeten. Besprochen wurden Werbungskosten (1.230 €), das Arbeitszimmer und die Fahrten zur Arbeit (24 km). ' +
    'Entschieden wurde, die Homeoffice-Pauschale zu nehmen, weil sie günstiger ist. Offen ist noch, ob die Fortbildung anerkannt wird; dazu fehlt eine Rechnung.',
  'Chinese prose':
    '用户希望把登录页面从 Vue 2 迁移到 Vue 3，并要求保留现有的样式。助手已经修改了 src/views/Login.vue 和 src/router/index.ts，单元测试全部通过。' +
    '双方决定暂不升级 Element UI，因为表单组件还没有替代方案。用户最后要求补充英文翻译，这项工作尚未开始。',
  'Chinese headings':
    '## 目标\n- 为客服机器人编写测试\n\n## 已完成\n- 登录与支付流程，共 42 个用例\n\n## 待定\n- 您希望几点部署？（用户尚未回答）',
  'a French summary':
    'L’utilisateur prépare un voyage à Lisbonne du 3 au 9 mai avec un budget de 1 200 €. Il préfère le train à l’avion et ne mange pas de viande. L’hôtel Alfama a été retenu pour son prix (78 € la nuit) ; les billets de train ne sont pas encore achetés.',
  'a Spanish summary':
    'El usuario pidió una migración de la base de datos sin parar el servicio. Se decidió usar replicación lógica porque un volcado tardaría seis horas. Queda pendiente elegir la fecha; el usuario prefiere el domingo.',
  'a Japanese summary':
    'ユーザーは社内ツールの検索を速くしたいと依頼した。索引を追加することに決め、src/search.ts を変更した。応答は 900 ms から 120 ms になった。残りは負荷試験で、日程はまだ決まっていない。',
  'a recap turn by turn': [
    '**User:** asked for a script that renames photos by date.',
    '**Assistant:** wrote `rename.py` and tested it on 20 files.',
    '**User:** requested a dry-run option.',
    '**Assistant:** added `--dry-run`; the user has not tried it yet.',
  ].join('\n'),
  'bullets by role':
    '- User: wants invoices as PDF, A4, in German.\n- Assistant: chose Typst because LaTeX is not installed; template is `invoice.typ`.\n- Next: page numbers.',
  'facts about the user under a label':
    'User: Anna, nurse in Leeds, works nights, prefers metric units.\n\nTopics: sleep plan, coffee (none after 02:00), blackout curtains ordered. She will report back on Monday.',
  'a summary with code in it': [
    'The user asked for a debounce helper. The agreed version:',
    '',
    '```ts',
    'export function debounce(run: () => void, ms: number) {',
    '  let timer: number | undefined',
    '  return () => { clearTimeout(timer); timer = setTimeout(run, ms) }',
    '}',
    '```',
    '',
    'It is used in `search.ts`. The user rejected lodash because of its size. Tests are still missing.',
  ].join('\n'),
  'a summary about prompts and tool calls':
    'The user is debugging an agent whose replies contain raw `<tool_call>` blocks. The example they sent:\n\n```\n<tool_call>{"name":"read","arguments":{}}</tool_call>\nUser: hi\nAssistant: hello\n```\n\nThe cause was a missing stop sequence; the assistant added `</tool_call>` to the list, and the user confirmed that it works.',
  'a summary that begins with a name like an opener':
    'Let’s Encrypt certificates for shop.example were renewed by the assistant; the old ones ran out on 3 May. The user wants an alarm 14 days ahead.',
  'a summary about a greeting program':
    "Hello World in Rust was the first exercise; the user finished exercises 1 to 6 and is stuck on lifetimes (exercise 7). The assistant explained `&'a str` twice.",
  'a very short summary': 'Parser done: `parse.ts`, 12/12 tests pass; README pending.',
  'a checklist': '[x] Export works (CSV, 4,200 rows)\n[ ] Import\n[ ] Ask the user whether dates are UTC',
  'a summary with a block quote':
    'The user wants the tone of this reply kept:\n\n> Sure! I can help you with that. Would you like me to start?\n\nDrafts 1 and 2 were refused as too stiff. Draft 3 is being written.',
} as const

/** Replies to, or continuations of, a conversation, and other things that came back in the place of a summary. */
export const BAD_REPLIES = {
  empty: [
    '',
    '  \n',
    '<summary></summary>',
    '<summary>\n…\n</summary>',
    '\u200b',
    '<think>What should I say?</think>',
    '<think>never ends',
  ],
  'cut-off': [],
  'tool-syntax': [
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>',
    'I will read the file first.\n[calls read_file {"path":"src/a.ts"}]',
    '{"name": "search", "arguments": {"query": "flights to Lisbon"}}',
    '[TOOL_CALLS] [{"name": "bash"}]',
    '```tool_code\nprint(search("x"))\n```',
    '<summary>\n<function=read_file>{"path":"a.ts"}</function>\n</summary>',
  ],
  'error-text': [
    '{"error":{"type":"overloaded_error","message":"Overloaded"}}',
    '{"type":"error","error":{"type":"rate_limit_error"}}',
    'Error generating summary: timeout',
    'Error: 529 Overloaded',
    'API Error: request was aborted',
    '429 Too Many Requests',
    'HTTP 503: Service Unavailable',
    'Rate limit exceeded. Please try again in 20 seconds.',
    'The server is currently overloaded with other requests.',
    'Something went wrong. Please try again.',
    'You exceeded your current quota, please check your plan and billing details.',
    'prompt is too long: 214332 tokens > 200000 maximum',
    '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>',
    'Context contained 48 messages. Summary unavailable.',
  ],
  'answers-the-chat': [
    'Sure! To fix the build, first delete node_modules and run npm install again. After that the error should be gone.',
    "I'm sorry, but I can't help with that.",
    'Great question! Postgres keeps old row versions until VACUUM removes them, so a table can grow although no rows are added.',
    'I recommend the second option: it is cheaper and the reviews are better. Would you like me to book it?',
    'I cannot assist with this request.',
    'I can help you with that. Which city are you flying from?',
    "I'll start by reading the configuration file and then update the port.",
    'Let me check the logs for you.',
    'You should see a doctor about your knee. Rest it for two days, put ice on it, and do not run until your pain is gone. If your knee swells, you need an X-ray.',
    'Here is how you can do it: open your settings, then pick your profile.',
    'Thank you for the details. Your order will arrive on Monday.',
    "You're right, the port should be 4747. It is fixed now.",
    'The function now returns null for an empty list and the tests pass.\n\nLet me know if you need anything else!',
    'I don’t see any conversation to summarize. Could you paste it here?',
    'Please provide the transcript you want summarised.',
    'As an AI language model, I do not have access to earlier conversations.',
    'Natürlich! Hier ist der geänderte Code, der den Fehler behebt.',
    'Es tut mir leid, aber dabei kann ich nicht helfen.',
    'Der Fehler liegt in Zeile 41, dort fehlt ein Standardwert. Soll ich das gleich ändern?',
    'Bien sûr ! Voici la version corrigée de la fonction.',
    'Je suis désolé, mais je ne peux pas répondre à cette demande.',
    'La función ya devuelve null. ¿Quieres que añada una prueba?',
    'Lo siento, pero no puedo ayudar con eso.',
    'Claro, aqui está o código atualizado.',
    'Mi dispiace, ma non posso aiutarti.',
    'Natuurlijk, hier is de aangepaste code.',
    '好的，我来帮你修改登录页面的代码。',
    '抱歉，我无法回答这个问题。',
    '建议先升级依赖，再运行测试。如果您需要我继续，请告诉我。',
    'もちろんです。コードを修正しました。',
    'コードを修正しました。テストも実行しましょうか？',
    '물론입니다. 코드를 수정했습니다.',
    'Конечно, вот исправленный код.',
    `Here you go:\n\n\`\`\`ts\n${'export const answer = 42\n'.repeat(40)}\`\`\``,
  ],
  'continues-the-chat': [
    'Assistant: I have updated the file, and the tests pass now.',
    '[ASSISTANT]: Done. The port is 4747.',
    'User: thanks, that works!\n\nAssistant: Glad to hear it.',
    'The user asked for a plan.\n\n[USER]: And what about Tuesday?\n[ASSISTANT]: Tuesday is free as well.',
    '<summary>\nUser: can you also add tests?\nAssistant: Sure, I will add them now.\n</summary>',
    '**User:** what about the index?\n**Assistant:** The index is not needed.',
    '用户：那测试呢？\n助手：测试已经全部通过。',
    'Human: go on\nAssistant: The next step is the deployment.',
    '[read_file answered] export const a = 1',
  ],
} as const satisfies Partial<Record<SummaryProblem, readonly string[]>>
