import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { detectLanguage, isOtherLanguage, nameLanguage } from './detect-language.ts'

const TEXTS = {
  English:
    'The user wants to move the service to a new host before Friday, and they asked for a plan that keeps the old one running.',
  German:
    'Der Nutzer möchte den Dienst bis Freitag auf einen neuen Rechner umziehen und hat um einen Plan gebeten, bei dem der alte weiterläuft.',
  French:
    'L’utilisateur veut déplacer le service sur une nouvelle machine avant vendredi, et il a demandé un plan qui garde l’ancienne en marche.',
  Spanish:
    'El usuario quiere mover el servicio a una máquina nueva antes del viernes y pidió un plan que mantenga la anterior en marcha.',
  Portuguese:
    'O usuário quer mover o serviço para uma máquina nova antes de sexta-feira e pediu um plano que mantenha a antiga em funcionamento.',
  Italian:
    'L’utente vuole spostare il servizio su una nuova macchina prima di venerdì e ha chiesto un piano che tenga in funzione quella vecchia.',
  Dutch:
    'De gebruiker wil de dienst voor vrijdag naar een nieuwe machine verhuizen en heeft om een plan gevraagd waarbij de oude blijft draaien.',
  Chinese: '用户希望在周五之前把服务迁移到新的主机上，并要求制定一个让旧主机继续运行的方案。',
  Japanese:
    'ユーザーは金曜日までにサービスを新しいホストへ移したいと考えており、古いホストを動かし続ける計画を求めた。',
  Korean: '사용자는 금요일까지 서비스를 새 호스트로 옮기고 싶어 하며 기존 호스트를 계속 운영하는 계획을 요청했다.',
  Greek: 'Ο χρήστης θέλει να μεταφέρει την υπηρεσία σε νέο υπολογιστή πριν από την Παρασκευή.',
}

describe('detectLanguage', () => {
  test.each(Object.entries(TEXTS))('knows %s', (name, text) => {
    const detected = detectLanguage(text)
    expect(detected && nameLanguage(detected)).toBe(name)
  })

  test('knows the script where it does not tell languages apart', () => {
    const russian = detectLanguage('Пользователь хочет перенести службу на новый сервер до пятницы.')
    expect(russian).toEqual({ script: 'cyrillic', language: null })
    expect(russian && nameLanguage(russian)).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['a word', 'ok'],
    ['code alone', '```ts\nconst the = of(and, to, is, that, it, for, was, on)\n```'],
    ['paths and ids', 'src/the/of/and.ts to_is_that itForWas 12ab34 https://the.of/and/to?is=that'],
    [
      'half and half',
      `${TEXTS.Chinese} The plan that they made is to keep the old host and to move the rest of it on Friday, as they had said before.`,
    ],
  ])('is unsure about %s', (_, text) => {
    expect(detectLanguage(text)).toBeNull()
  })

  test.each([
    [
      'Polish',
      'Użytkownik chce przenieść usługę na nowy serwer przed piątkiem i poprosił o plan, w którym stary nadal działa.',
    ],
    [
      'Swedish',
      'Användaren vill flytta tjänsten till en ny dator före fredag och bad om en plan där den gamla fortsätter att köra.',
    ],
    [
      'Turkish',
      'Kullanıcı hizmeti cuma gününden önce yeni bir sunucuya taşımak istiyor ve eskisinin çalışmaya devam ettiği bir plan istedi.',
    ],
    [
      'Indonesian',
      'Pengguna ingin memindahkan layanan ke server baru sebelum hari Jumat dan meminta rencana agar server lama tetap berjalan.',
    ],
  ])('takes %s for no language it knows', (_, text) => {
    expect(detectLanguage(text)).toEqual({ script: 'latin', language: null })
  })

  test('reads prose around code, not the code', () => {
    const mixed = `${TEXTS.German}\n\`\`\`\nif the file is not there then it was not for you and me\n\`\`\`\nDie Datei \`the/of/and.ts\` ist noch nicht da.`
    expect(detectLanguage(mixed)?.language).toBe('de')
  })

  test('reads Chinese with many technical words as Chinese', () => {
    const text = '用户要求把 React 组件迁移到 TypeScript，使用 Vite 构建，并在 src/app.tsx 中加入登录页面和测试。'
    expect(detectLanguage(text)?.script).toBe('han')
  })

  test('reads a megabyte at once and never throws', () => {
    const started = performance.now()
    detectLanguage('x'.repeat(1_000_000))
    detectLanguage('`'.repeat(1_000_000))
    detectLanguage('<'.repeat(1_000_000))
    expect(performance.now() - started).toBeLessThan(500)
    fc.assert(fc.property(arbitraryText(), (text) => void detectLanguage(text)))
  })
})

describe('isOtherLanguage', () => {
  test('needs two sure answers', () => {
    const german = detectLanguage(TEXTS.German)
    expect(isOtherLanguage(german, detectLanguage(TEXTS.English))).toBe(true)
    expect(isOtherLanguage(german, detectLanguage(TEXTS.Chinese))).toBe(true)
    expect(isOtherLanguage(german, german)).toBe(false)
    expect(isOtherLanguage(german, null)).toBe(false)
    expect(isOtherLanguage(german, { script: 'latin', language: null })).toBe(false)
  })
})
