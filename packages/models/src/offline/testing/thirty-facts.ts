/** Something said in a conversation, and a question in other words that only it answers. */
export interface SaidFact {
  readonly said: readonly string[]
  readonly question: string
  readonly answer: string
  /** Said before it was corrected. */
  readonly outdated?: string
}

export const THIRTY_FACTS: readonly SaidFact[] = [
  { said: ['My name is Annika Lindqvist, by the way.'], question: 'What am I called?', answer: 'Annika Lindqvist' },
  {
    said: ['Our golden retriever is called Biscuit.'],
    question: 'What is the name of our retriever?',
    answer: 'Biscuit',
  },
  { said: ['I live in Lisbon these days, close to the river.'], question: 'Where do I live?', answer: 'Lisbon' },
  {
    said: ['My sister Marta works as a veterinarian in Porto.'],
    question: 'What is my sister’s job?',
    answer: 'veterinarian',
  },
  { said: ['I am allergic to peanuts and shellfish.'], question: 'Do I have any allergies?', answer: 'peanuts' },
  { said: ['My favourite tea is genmaicha.'], question: 'Which tea do I like best?', answer: 'genmaicha' },
  { said: ['The staging server listens on port 9417.'], question: 'Which port does staging use?', answer: '9417' },
  {
    said: ['The production database runs PostgreSQL 16.4.'],
    question: 'What version of the database is in production?',
    answer: '16.4',
  },
  {
    said: ['We decided to use Fastify for the gateway because of its schema support.'],
    question: 'Why did we choose Fastify?',
    answer: 'schema support',
  },
  {
    said: ['The release of Halibut is planned for 14 March 2027.'],
    question: 'When will Halibut be released?',
    answer: '14 March 2027',
  },
  {
    said: ['The customer’s contract number is KX-88213.'],
    question: 'What is the number of the client’s contract?',
    answer: 'KX-88213',
  },
  {
    said: ['The nightly backup job starts at 02:45.'],
    question: 'At what time does the backup begin?',
    answer: '02:45',
  },
  {
    said: ['The migration scripts live in tools/db/migrations.'],
    question: 'Where are the migration scripts?',
    answer: 'tools/db/migrations',
  },
  {
    said: ['The retry limit for uploads must stay at 7 attempts.'],
    question: 'How many times may an upload be retried?',
    answer: '7 attempts',
  },
  {
    said: ['Please never touch the file legacy/billing.pl, accounting depends on it.'],
    question: 'Which file must not be touched?',
    answer: 'legacy/billing.pl',
  },
  {
    said: ['The budget for the kitchen is 18,500 euros.'],
    question: 'How much money do I have for the kitchen?',
    answer: '18,500',
  },
  {
    said: ['Dr. Okafor moved my appointment to Thursday at 10:15.'],
    question: 'When do I see Dr. Okafor?',
    answer: 'Thursday at 10:15',
  },
  {
    said: ['The Wi-Fi network in the cabin is named trout-lake-5G.'],
    question: 'What is the cabin’s Wi-Fi called?',
    answer: 'trout-lake-5G',
  },
  {
    said: ['I prefer tabs over spaces in Makefiles and everywhere else.'],
    question: 'Do I like tabs or spaces?',
    answer: 'tabs over spaces',
  },
  {
    said: ['Tomás is responsible for the invoices now.'],
    question: 'Who takes care of the invoices?',
    answer: 'Tomás',
  },
  {
    said: ['Our flight to Oslo leaves from gate B22.'],
    question: 'What gate does the Oslo flight go from?',
    answer: 'B22',
  },
  {
    said: ['The tests failed because the clock of the CI machine was two hours off.'],
    question: 'What made the tests fail?',
    answer: 'clock',
  },
  { said: ['The logo colour is #0F7C5A.'], question: 'What color is the logo?', answer: '#0F7C5A' },
  { said: ['我养了一只猫，名字叫汤圆。'], question: '我的猫叫什么？', answer: '汤圆' },
  { said: ['会议改到了星期五下午三点。'], question: '会议是什么时候？', answer: '星期五下午三点' },
  {
    said: ['新しいオフィスの住所は渋谷区神南1-5です。'],
    question: 'オフィスの住所は何ですか？',
    answer: '渋谷区神南1-5',
  },
  {
    said: ['The API gateway has a timeout of 30 seconds.', 'Correction: the gateway timeout is 45 seconds.'],
    question: 'How long is the timeout of the gateway?',
    answer: '45 seconds',
    outdated: '30 seconds',
  },
  {
    said: ['The cache server’s address is 10.0.8.14.', 'The cache server has moved, its address is now 10.0.9.77.'],
    question: 'What is the address of the cache server?',
    answer: '10.0.9.77',
    outdated: '10.0.8.14',
  },
  {
    said: ['Rent is due on the 3rd of each month.', 'Sorry, I was wrong: it is the 5th, not the 3rd, of each month.'],
    question: 'On which day is the rent due?',
    answer: '5th',
  },
  {
    said: ['Das Passwort für den Drucker steht auf dem Zettel unter der Tastatur.'],
    question: 'Wo steht das Passwort für den Drucker?',
    answer: 'unter der Tastatur',
  },
]

/** What is said around the facts, and on neighbouring matters: none of it answers a question above. */
export const SMALL_TALK: readonly string[] = [
  'Let us look at the front end first.',
  'The header is too tall on small screens.',
  'The production site was slow yesterday.',
  'I had a long walk with the dog this morning.',
  'My sister visits us in the summer.',
  'The kitchen needs a new floor.',
  'The database of customers has grown a lot.',
  'Our gateway logs are noisy.',
  'The meeting with design went well.',
  'I bought tea and coffee at the market.',
  'Staging was down for a minute.',
  'We should clean up the scripts some time.',
  'The office plants need water.',
  'The tests are green again.',
  'I want to fly less this year.',
  '今天天气很好，我们去公园走了走。',
  'The file upload looks nicer with a progress bar.',
  'The doctor said that I am fine.',
  'The logo looks good on dark ground.',
  'Our contract with the cleaning service ends soon.',
]
