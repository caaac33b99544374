import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateText } from './estimate-text.ts'

interface Sample {
  readonly name: string
  /** o200k_base, counted with gpt-tokenizer 4. */
  readonly tokens: number
  /** How far off the estimate may be, as a part of `tokens`. */
  readonly tolerance: number
  readonly text: string
}

/** A linear congruential generator: the same digits on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function repeat(count: number, line: (random: (below: number) => number, index: number) => string): string {
  const random = createRandom(count)
  return Array.from({ length: count }, (_, index) => line(random, index)).join('')
}

function pick(random: (below: number) => number, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random(alphabet.length))).join('')
}

const HEX = '0123456789abcdef'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const SAMPLES: readonly Sample[] = [
  {
    name: 'English prose',
    tokens: 111,
    tolerance: 0.08,
    text: `The lighthouse keeper had not spoken to anyone for three weeks when the supply boat finally rounded the headland. He watched it from the gallery, one hand on the cold iron rail, and tried to remember what people said to each other first. Weather, probably. There had been plenty of weather. Two storms had torn shingles from the roof of the store, and a third had carried off the little jetty he had spent the whole of the summer repairing, so that the boatman would now have to throw him the mail across six feet of restless water.`,
  },
  {
    name: 'English chat',
    tokens: 118,
    tolerance: 0.1,
    text: `Hi! I'd like to move my dentist appointment, if that's possible. I'm supposed to come in on Thursday but my daughter's school called and I can't make it.\nOf course, no problem at all. Would Friday afternoon or early next week work better for you? We've got a slot at two o'clock on Friday and a couple of openings on Monday morning.\nFriday sounds perfect, thanks so much. Do I need to bring anything? Last time you asked for my insurance card and I'd left it at home.\nJust the card and a list of any medicines you're taking. See you on Friday!`,
  },
  {
    name: 'Markdown',
    tokens: 150,
    tolerance: 0.08,
    text: `## Retry policy\n\nA request is retried **at most three times**, with a delay that doubles from \`250 ms\`. Only these answers are retried:\n\n- \`429 Too Many Requests\` – honours the \`Retry-After\` header;\n- \`503 Service Unavailable\`;\n- a connection closed before the first byte.\n\n| option | default | meaning |\n|---|---|---|\n| \`retries\` | 3 | how often, at most |\n| \`minDelayMs\` | 250 | before the first retry |\n| \`maxDelayMs\` | 8000 | upper bound of the delay |\n\n> **Note** A streamed body cannot be replayed: see [streaming](./streaming.md#limits).\n`,
  },
  {
    name: 'TypeScript',
    tokens: 143,
    tolerance: 0.1,
    text: `export async function readLedger(path: string, signal: AbortSignal): Promise<readonly LedgerEntry[]> {\n  const entries: LedgerEntry[] = []\n  for await (const line of createInterface({ input: createReadStream(path, { encoding: 'utf8', signal }) })) {\n    if (line.trim() === '') continue\n    const parsed = ledgerEntrySchema.safeParse(JSON.parse(line))\n    if (!parsed.success) {\n      throw new LedgerError('invalid-entry', \`line \${entries.length + 1}: \${parsed.error.message}\`)\n    }\n    entries.push(parsed.data)\n  }\n  return entries.toSorted((left, right) => left.bookedAt - right.bookedAt)\n}\n`,
  },
  {
    name: 'Python indented with tabs',
    tokens: 137,
    tolerance: 0.12,
    text: `class TideTable:\n\tdef __init__(self, station, readings=None):\n\t\tself.station = station\n\t\tself._readings = list(readings or [])\n\n\tdef highest(self, day):\n\t\t"""Return the highest reading of the day, or None."""\n\t\tcandidates = [r for r in self._readings if r.day == day]\n\t\tif not candidates:\n\t\t\treturn None\n\t\treturn max(candidates, key=lambda r: r.level_cm)\n\n\tdef to_csv(self, handle):\n\t\twriter = csv.writer(handle, delimiter=";")\n\t\tfor reading in self._readings:\n\t\t\twriter.writerow([reading.day.isoformat(), reading.level_cm, reading.source])\n`,
  },
  {
    name: 'numbered lines of code',
    tokens: 185,
    tolerance: 0.12,
    text: `     1\tpackage main\n     2\t\n     3\timport (\n     4\t\t"fmt"\n     5\t\t"os"\n     6\t\t"strings"\n     7\t)\n     8\t\n     9\tfunc main() {\n    10\t\tif len(os.Args) < 2 {\n    11\t\t\tfmt.Fprintln(os.Stderr, "usage: reverse <words>")\n    12\t\t\tos.Exit(2)\n    13\t\t}\n    14\t\twords := os.Args[1:]\n    15\t\tfor left, right := 0, len(words)-1; left < right; left, right = left+1, right-1 {\n    16\t\t\twords[left], words[right] = words[right], words[left]\n    17\t\t}\n    18\t\tfmt.Println(strings.Join(words, " "))\n    19\t}\n`,
  },
  {
    name: 'a diff',
    tokens: 205,
    tolerance: 0.1,
    text: `diff --git a/src/parser/tokens.rs b/src/parser/tokens.rs\nindex 4b2f1c9..a07de35 100644\n--- a/src/parser/tokens.rs\n+++ b/src/parser/tokens.rs\n@@ -118,9 +118,13 @@ impl<'a> Lexer<'a> {\n     fn number(&mut self) -> Token {\n         let start = self.offset;\n-        while self.peek().is_some_and(|c| c.is_ascii_digit()) {\n+        while self.peek().is_some_and(|c| c.is_ascii_digit() || c == '_') {\n             self.bump();\n         }\n-        Token::Number(self.source[start..self.offset].parse().unwrap())\n+        let digits = self.source[start..self.offset].replace('_', "");\n+        match digits.parse() {\n+            Ok(value) => Token::Number(value),\n+            Err(_) => Token::Error(Span::new(start, self.offset)),\n+        }\n     }\n`,
  },
  {
    name: 'JSON, indented',
    tokens: 296,
    tolerance: 0.1,
    text: JSON.stringify(
      {
        reservation: {
          id: 'KX7P2M',
          passengers: [
            { firstName: 'Amelia', lastName: 'Okonkwo', birthDate: '1987-03-14', seat: '14C', checkedBags: 2 },
            { firstName: 'Henrik', lastName: 'Lindqvist', birthDate: '1990-11-02', seat: '14D', checkedBags: 0 },
          ],
          segments: [
            { from: 'OSL', to: 'CDG', departsAt: '2026-05-17T06:45:00+02:00', flight: 'AF1275', cabin: 'economy' },
            { from: 'CDG', to: 'LOS', departsAt: '2026-05-17T13:20:00+02:00', flight: 'AF148', cabin: 'economy' },
          ],
          total: { currency: 'EUR', amount: 1184.6, refundable: false },
        },
      },
      null,
      2,
    ),
  },
  {
    name: 'JSON, one line',
    tokens: 450,
    tolerance: 0.1,
    text: repeat(
      6,
      (random, index) =>
        `{"sensor":"greenhouse-${index}","readings":[{"at":"2026-02-0${index + 1}T0${random(9)}:15:00Z","celsius":${random(40)}.${random(10)},"humidity":0.${random(99)}},{"at":"2026-02-0${index + 1}T1${random(9)}:15:00Z","celsius":${random(40)}.${random(10)},"humidity":0.${random(99)}}],"ok":true}`,
    ),
  },
  {
    name: 'tool input as JSON',
    tokens: 92,
    tolerance: 0.12,
    text: JSON.stringify({
      path: '/srv/app/lib/mailer/queue.ex',
      old: '  def push(queue, mail) do\n    :queue.in(mail, queue)\n  end\n',
      new: '  def push(queue, mail) do\n    if :queue.len(queue) >= @max_length do\n      {:error, :full}\n    else\n      {:ok, :queue.in(mail, queue)}\n    end\n  end\n',
    }),
  },
  {
    name: 'log lines',
    tokens: 376,
    tolerance: 0.1,
    text: repeat(
      8,
      (random) =>
        `2026-04-${10 + random(19)} 0${random(9)}:${10 + random(49)}:${10 + random(49)},${100 + random(899)} WARN  [worker-${random(16)}] payments.gateway - charge ${10_000 + random(89_999)} declined (code=${random(99)}), attempt ${random(5)} of 5, next in ${random(900)}ms\n`,
    ),
  },
  {
    name: 'ls -la',
    tokens: 251,
    tolerance: 0.1,
    text: `total 148\ndrwxr-xr-x  9 deploy deploy  4096 Mar  3 11:20 .\ndrwxr-xr-x  4 root   root    4096 Jan 18 09:02 ..\n-rw-r--r--  1 deploy deploy   412 Mar  3 11:19 .env.example\ndrwxr-xr-x  8 deploy deploy  4096 Mar  3 11:21 .git\n-rw-r--r--  1 deploy deploy  1103 Feb 27 16:44 Dockerfile\n-rw-r--r--  1 deploy deploy 11357 Jan 18 09:02 LICENSE\n-rw-r--r--  1 deploy deploy  6021 Mar  1 08:37 README.md\ndrwxr-xr-x  3 deploy deploy  4096 Feb 27 16:44 config\n-rwxr-xr-x  1 deploy deploy   238 Feb 27 16:44 entrypoint.sh\ndrwxr-xr-x 11 deploy deploy  4096 Mar  3 11:20 src\n`,
  },
  {
    name: 'a stack trace',
    tokens: 107,
    tolerance: 0.1,
    text: `TypeError: Cannot destructure property 'region' of 'options' as it is undefined.\n    at createBucket (/home/ci/build/packages/storage/src/bucket.ts:41:11)\n    at async Promise.all (index 2)\n    at async provision (/home/ci/build/packages/storage/src/provision.ts:88:5)\n    at async file:///home/ci/build/scripts/deploy.mjs:19:3\n    at async Module.evaluate (node:internal/modules/esm/module_job:430:12)\n`,
  },
  {
    name: 'numbers',
    tokens: 435,
    tolerance: 0.1,
    text: repeat(40, (random) => `${random(1000)};${random(100_000)}.${random(100)};${random(10_000_000)}\n`),
  },
  { name: 'hexadecimal', tokens: 451, tolerance: 0.12, text: repeat(12, (random) => `${pick(random, HEX, 64)}\n`) },
  { name: 'base64', tokens: 634, tolerance: 0.15, text: repeat(12, (random) => `${pick(random, BASE64, 76)}\n`) },
  {
    name: 'UUIDs',
    tokens: 458,
    tolerance: 0.1,
    text: repeat(20, (random) => `${[8, 4, 4, 4, 12].map((length) => pick(random, HEX, length)).join('-')}\n`),
  },
  {
    name: 'URLs',
    tokens: 140,
    tolerance: 0.15,
    text: `https://docs.example.org/en/latest/guides/deploying/kubernetes.html#rolling-updates\nhttps://registry.example.com/v2/library/postgres/manifests/17.2-alpine\nhttps://maps.example.net/embed?lat=59.9139&lng=10.7522&zoom=14&layer=transit\nhttps://github.com/example-labs/harbor-pilot/pull/1842/files#diff-7a3e\nhttps://cdn.example.com/assets/images/2025/11/hero-banner@2x.webp?width=1280&quality=80\nmailto:support@example.com?subject=Invoice%20overdue\n`,
  },
  {
    name: 'file paths',
    tokens: 118,
    tolerance: 0.18,
    text: `packages/billing/src/invoices/create-invoice.ts\npackages/billing/src/invoices/create-invoice.test.ts\npackages/billing/src/invoices/render/html-template.ts\npackages/billing/src/tax/rates/european-union.json\napps/dashboard/components/charts/stacked-bar-chart.tsx\napps/dashboard/components/navigation/breadcrumbs.tsx\n/var/lib/postgresql/17/main/pg_wal/archive_status\n/usr/local/share/ca-certificates/internal-root.crt\nC:\\\\Users\\\\mhansen\\\\AppData\\\\Local\\\\Programs\\\\Tools\\\\settings.xml\n`,
  },
  {
    name: 'a box-drawn tree',
    tokens: 122,
    tolerance: 0.2,
    text: `.\n├── cmd\n│   ├── server\n│   │   └── main.go\n│   └── worker\n│       ├── main.go\n│       └── schedule.go\n├── internal\n│   ├── mail\n│   └── store\n└── go.mod\n\n┌────────────┬──────────┐\n│ name       │ size     │\n├────────────┼──────────┤\n│ main.go    │ 4.1 KB   │\n└────────────┴──────────┘\n`,
  },
  {
    name: 'German',
    tokens: 75,
    tolerance: 0.15,
    text: `Der Fahrplan wurde im Dezember umgestellt, doch an der Haltestelle hing noch immer der alte Aushang. Wer sich darauf verließ, wartete vergeblich auf den Bus um Viertel nach sieben und musste bei strömendem Regen zu Fuß zum Bahnhof gehen. Die Verkehrsbetriebe entschuldigten sich später mit einem Hinweis auf den Personalmangel.`,
  },
  {
    name: 'Spanish',
    tokens: 75,
    tolerance: 0.15,
    text: `El mercado abre a las seis de la mañana, cuando todavía es de noche y los camiones llegan cargados de naranjas, tomates y pescado fresco. Mi abuela decía que quien llega tarde se queda con lo que nadie quiso, así que nos levantábamos antes que el sol y bajábamos la cuesta medio dormidos, con las bolsas vacías y mucho frío.`,
  },
  {
    name: 'Vietnamese',
    tokens: 80,
    tolerance: 0.3,
    text: `Buổi sáng ở Hà Nội bắt đầu bằng mùi phở và tiếng xe máy. Bà tôi thường dậy từ rất sớm, nhóm bếp than rồi pha một ấm trà đặc. Những người hàng xóm ghé qua, ngồi trên ghế nhựa nhỏ và nói chuyện về thời tiết, về giá gạo, về con cháu đang làm việc ở xa.`,
  },
  {
    name: 'Chinese, simplified',
    tokens: 117,
    tolerance: 0.15,
    text: `小城的图书馆每天早上八点开门，门口总是排着几位老人。他们不一定是来看书的，有的只是想找个暖和的地方坐一会儿，跟熟人聊聊天。管理员是个年轻姑娘，刚从大学毕业，她记得每个人喜欢看什么报纸，常常提前放在桌子上。去年冬天，有人建议把开放时间改到九点，结果收到了一百多封反对的信，这件事就再也没有人提了。`,
  },
  {
    name: 'Chinese, traditional',
    tokens: 98,
    tolerance: 0.25,
    text: `颱風過後的第一個早晨，街上到處都是斷掉的樹枝和招牌。雜貨店的老闆娘拿著掃把，一邊清理門口的積水，一邊和路過的鄰居打招呼。電力還沒有恢復，冰箱裡的東西都壞了，可是她說人平安就好，其他的慢慢來。`,
  },
  {
    name: 'Japanese',
    tokens: 123,
    tolerance: 0.15,
    text: `商店街の端にある小さな時計屋は、もう五十年以上も同じ場所で営業している。店主は八十歳を過ぎたが、細かい部品を扱う手つきは今でも確かだ。最近はスマートフォンで時間を見る人が増えて客は減ったけれど、壊れた腕時計を大切そうに持ってくる若者もいるという。「直せば使えるものを捨てるのはもったいないですから」と彼は笑った。`,
  },
  {
    name: 'Korean',
    tokens: 121,
    tolerance: 0.15,
    text: `동네 빵집은 새벽 다섯 시에 불이 켜진다. 주인아저씨는 반죽을 치대면서 라디오를 듣고, 첫 손님이 오기 전에 식빵과 단팥빵을 진열대에 올려놓는다. 학교에 가는 아이들은 유리창 너머로 빵을 구경하다가 용돈을 모아 하나씩 사 먹곤 했다. 요즘은 큰 가게가 많이 생겨서 걱정이라고 하지만 단골손님은 여전히 많다.`,
  },
  {
    name: 'Russian',
    tokens: 99,
    tolerance: 0.25,
    text: `В маленьком посёлке у реки почту привозили два раза в неделю. Зимой, когда дорогу заносило снегом, почтальон шёл на лыжах и оставлял тяжёлую сумку у соседки, а письма разносил уже налегке. Все знали его по имени, угощали чаем и расспрашивали о новостях из города, хотя он и сам бывал там редко.`,
  },
  {
    name: 'Ukrainian',
    tokens: 87,
    tolerance: 0.3,
    text: `Навесні сад за хатою зацвітав так рясно, що з вікна не було видно дороги. Дід виносив на подвір'я старе крісло, сідав із газетою і слухав, як гудуть бджоли. Онуки гралися поруч, а надвечір усі разом пили чай із липовим медом.`,
  },
  {
    name: 'Greek',
    tokens: 75,
    tolerance: 0.35,
    text: `Το καφενείο του χωριού ανοίγει πριν ξημερώσει, γιατί οι ψαράδες θέλουν να πιουν κάτι ζεστό πριν βγουν στη θάλασσα. Ο ιδιοκτήτης τους ξέρει όλους από παιδιά και δεν χρειάζεται να ρωτήσει τι θα πάρει ο καθένας.`,
  },
  {
    name: 'Arabic',
    tokens: 72,
    tolerance: 0.35,
    text: `كان السوق القديم يفتح أبوابه قبل شروق الشمس، فتملأ رائحة الخبز والبهارات الأزقة الضيقة. يأتي التجار من القرى المجاورة حاملين الفواكه والخضروات، ويجلس كبار السن أمام المقهى يتحدثون عن أخبار الأمس ويشربون الشاي بالنعناع.`,
  },
  {
    name: 'Hebrew',
    tokens: 67,
    tolerance: 0.3,
    text: `בכל יום שישי בבוקר היינו הולכים עם סבא לשוק לקנות פירות וירקות לשבת. הוא הכיר את כל המוכרים, התווכח איתם על המחיר, ובסוף תמיד שילם יותר ממה שביקשו כי לא רצה שמישהו ייפגע.`,
  },
  {
    name: 'Hindi',
    tokens: 64,
    tolerance: 0.4,
    text: `गाँव के बाहर एक पुराना बरगद का पेड़ था जिसके नीचे हर शाम बच्चे खेलते थे और बुज़ुर्ग चौपाल लगाते थे। बारिश के दिनों में जब रास्ते कीचड़ से भर जाते, तब भी लोग छाता लेकर वहाँ पहुँच जाते और दिन भर की बातें करते।`,
  },
  {
    name: 'Tamil',
    tokens: 50,
    tolerance: 0.45,
    text: `கடற்கரை கிராமத்தில் மீனவர்கள் அதிகாலையில் படகுகளை எடுத்துக்கொண்டு கடலுக்குச் செல்வார்கள். சூரியன் உதிக்கும் நேரத்தில் அவர்களுடைய குடும்பத்தினர் கரையில் காத்திருப்பார்கள்.`,
  },
  {
    name: 'Thai',
    tokens: 66,
    tolerance: 0.45,
    text: `ตลาดน้ำเปิดตั้งแต่เช้ามืด แม่ค้าพายเรือมาขายผลไม้ ขนม และก๋วยเตี๋ยวร้อนๆ นักท่องเที่ยวชอบมาถ่ายรูป แต่คนในพื้นที่มาเพื่อซื้อของสดและพูดคุยกับเพื่อนเก่า`,
  },
  {
    name: 'emoji',
    tokens: 46,
    tolerance: 0.3,
    text: `Release day 🎉🚀 thanks everyone 🙏 tests ✅ docs ✅ changelog ⚠️ still open 🐛🐛 coffee ☕ then party 🥳🎈 see you 👋😄 ❤️ 👍🏽`,
  },
]

const MIXED = SAMPLES.map((sample) => sample.text)

/** Pieces that meet at awkward places: half words, half numbers, half pairs, half escapes. */
const PIECES = [
  [
    'the',
    'Read',
    'HTTP',
    'aB',
    'x',
    'ção',
    'é',
    '1',
    '42',
    '1234567',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\n    ',
    "'",
    "'t",
  ],
  [
    '.',
    '_',
    '/',
    '(',
    '"',
    '":"',
    '});',
    '====',
    '\\',
    '\\n',
    'n',
    '\0',
    '\u001B[0m',
    '–',
    '──',
    '→',
    '漢',
    'かな',
    '한',
  ],
  ['привет', 'ไทย', '😀', '\uD83D', '\uDE00', '\u200D', '\uFE0F', '\uFFFD', 'ﬁ', '𠮷'],
].flat()
const text = (constraints: { minLength: number; maxLength: number }) =>
  fc.oneof(
    fc.array(fc.constantFrom(...PIECES), constraints).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', ...constraints }),
    fc.string({ unit: 'grapheme-ascii', ...constraints }),
  )

describe('LH-01 estimateText', () => {
  it.each(SAMPLES)('LH-01 is near the o200k count of $name', ({ text: sample, tokens, tolerance }) => {
    expect(Math.abs(estimateText(sample) / tokens - 1)).toBeLessThanOrEqual(tolerance)
  })

  it('LH-01 is within 3 % of the o200k count of all samples together', () => {
    const total = SAMPLES.reduce((sum, sample) => sum + sample.tokens, 0)
    expect(Math.abs(estimateText(MIXED.join('\n')) / total - 1)).toBeLessThanOrEqual(0.03)
  })

  it('LH-01 is far nearer than characters divided by four', () => {
    const errors = SAMPLES.map((sample) => Math.abs(estimateText(sample.text) / sample.tokens - 1))
    const naive = SAMPLES.map((sample) => Math.abs(sample.text.length / 4 / sample.tokens - 1))
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean(errors)).toBeLessThan(mean(naive) / 3)
  })

  it('LH-01 is 0 for nothing and at least 1 for anything', () => {
    expect(estimateText('')).toBe(0)
    for (const sample of ['a', ' ', '\n', '\0', '.', '漢', '\uD800', '\uDC00', '\uFFFF']) {
      expect(estimateText(sample)).toBeGreaterThanOrEqual(1)
    }
  })

  it('LH-01 is a positive whole number, the same every time, never more than three a code unit', () => {
    fc.assert(
      fc.property(text({ minLength: 1, maxLength: 300 }), (sample) => {
        fc.pre(sample.length > 0)
        const tokens = estimateText(sample)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(1)
        expect(tokens).toBeLessThanOrEqual(3 * sample.length)
        expect(estimateText(sample)).toBe(tokens)
      }),
    )
  })

  it('LH-01 costs at most two tokens more for two texts joined than for the two apart', () => {
    const part = text({ minLength: 0, maxLength: 60 })
    fc.assert(
      fc.property(part, part, (left, right) => {
        expect(estimateText(left + right)).toBeLessThanOrEqual(estimateText(left) + estimateText(right) + 2)
      }),
      { numRuns: 2000 },
    )
  })

  it('LH-01 loses little where two long texts are joined', () => {
    const part = text({ minLength: 100, maxLength: 400 })
    fc.assert(
      fc.property(part, part, (left, right) => {
        expect(estimateText(left + right)).toBeGreaterThanOrEqual(0.8 * (estimateText(left) + estimateText(right)))
      }),
    )
  })

  it('LH-01 of slices adds up to the whole, wherever they are cut', () => {
    const whole = MIXED.join('\n')
    for (const size of [500, 1000, 4096]) {
      let sum = 0
      for (let at = 0; at < whole.length; at += size) sum += estimateText(whole.slice(at, at + size))
      expect(Math.abs(sum / estimateText(whole) - 1)).toBeLessThanOrEqual(0.02)
    }
  })

  it('LH-01 of a sampled text is within 3 % of the same text read in full', () => {
    const random = createRandom(7)
    let mixed = ''
    while (mixed.length < 3_000_000) mixed += (MIXED[random(MIXED.length)] as string).repeat(1 + random(8))
    let full = 0
    for (let at = 0; at < mixed.length; at += 200_000) full += estimateText(mixed.slice(at, at + 200_000))
    expect(Math.abs(estimateText(mixed) / full - 1)).toBeLessThanOrEqual(0.03)
  })

  it('LH-01 sees both halves of a periodic text however long it is', () => {
    const period = 'word '.repeat(205).slice(0, 1024) + pick(createRandom(3), HEX, 1024)
    const expected = estimateText(period.repeat(100)) / 100
    for (const periods of [129, 256, 512, 1024, 1500]) {
      const perPeriod = estimateText(period.repeat(periods)) / periods
      expect(Math.abs(perPeriod / expected - 1)).toBeLessThanOrEqual(0.05)
    }
  })

  it('LH-01 grows with the text on either side of the sampling limit', () => {
    const line = 'All work and no play makes a dull boy of 1980.\n'
    const tokens = [1000, 5000, 5577, 5578, 6000, 20_000].map((count) => estimateText(line.repeat(count)) / count)
    for (const perLine of tokens) expect(Math.abs(perLine / (tokens[0] as number) - 1)).toBeLessThanOrEqual(0.02)
  })

  it.each(['a', 'A', '0', ' ', '\n', '\t', '=', '\\', '\\n', '漢', '─', '\0', '\uD83D', '\uDE00', '😀', 'é'])(
    'LH-01 survives a million times %j',
    (unit) => {
      const tokens = estimateText(unit.repeat(1_000_000))
      expect(tokens).toBeGreaterThan(1000)
      expect(tokens).toBeLessThan(3_000_000)
    },
  )
})
