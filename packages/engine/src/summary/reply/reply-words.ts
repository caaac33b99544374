/**
 * How replies to a user begin and end, in the languages most conversations are in. Each list errs on the side of silence:
 * a good summary that is refused costs a history, a bad one that passes is caught by nobody else – so only phrases that
 * a summary has no use for stand here. All are tried at the start of a text or of its last sentence.
 */
export const REFUSALS: readonly RegExp[] = [
  /^(?:i['’]m sorry|i am sorry|sorry|i apologi[sz]e|apologies|unfortunately)\b.{0,60}\bi(?:['’]m| am)? ?(?:can['’]?t|cannot|can not|could not|couldn['’]t|unable|not able|won['’]t|don['’]t|do not)\b/i,
  /^i(?:['’]m| am)? ?(?:can['’]?t|cannot|can not|unable to|not able to|won['’]t) (?:help|assist|fulfil|comply|provide|summari[sz]e|answer|continue|engage|do|create|generate|complete|process|access|see)\b/i,
  /^as an ai\b/i,
  /^(?:i (?:don['’]t|do not) (?:see|have)|there is no|no) (?:any |a |the )?(?:conversation|transcript|messages?|content|text)\b.{0,60}\b(?:summari[sz]e|provided|here|above|to work with)/i,
  /^please (?:provide|share|paste|send)\b.{0,40}\b(?:conversation|transcript|text|messages?|content)/i,
  /^(?:es tut mir leid|tut mir leid|entschuldigung|leider)\b.{0,60}\bich\b|^leider kann ich\b|^ich kann (?:dir |ihnen )?(?:dabei|das|hierbei|damit) (?:leider )?nicht\b/i,
  /^(?:je suis désolée?|désolée?|malheureusement).{0,60}\bje ne (?:peux|puis)|^je ne (?:peux|puis) pas (?:vous |t['’])?(?:aider|répondre)/i,
  /^(?:lo siento|perdón|lamentablemente)\b.{0,60}\bno puedo|^no puedo (?:ayudar|hacer eso)/i,
  /^(?:desculpe|sinto muito|lamento|infelizmente)\b.{0,60}não posso|^não posso (?:ajudar|fazer isso)/i,
  /^(?:mi dispiace|spiacente|purtroppo)\b.{0,60}\bnon posso|^non posso (?:aiutar|farlo)/i,
  /^(?:het spijt me|sorry|helaas)\b.{0,60}\bik\b|^ik kan (?:je|u) (?:hier|daar)(?:bij|mee) niet/i,
  /^(?:很|非常)?(?:抱歉|对不起|對不起).{0,20}(?:无法|不能|無法|不可以)|^我(?:无法|不能|無法)(?:帮|提供|回答|協助|协助|继续)/,
  /^(?:申し訳|すみません|恐れ入りますが|죄송)/,
  /^(?:к сожалению|извините|простите).{0,40}(?:не могу|я не)/i,
]

export const OPENERS: readonly RegExp[] = [
  /^(?:sure(?: thing)?|certainly|of course|absolutely|definitely|no problem|got it|understood|okay|ok|alright|all right|hello(?: there)?|hi(?: there)?|hey(?: there)?|yes|yeah|yep|great|perfect|awesome|welcome back)[,!.]|^(?:no|nein|non|não|nee|нет)[,!]/i,
  /^(?:that(?:['’]s| is| sounds| looks) (?:a )?(?:great|good|wonderful|perfect|amazing|excellent)|sounds (?:good|great)|(?:good|great|excellent|nice|very good)(?: (?:choice|idea|point|job|work|catch))?s?[!,.]|hm+[,.!…]|well,)|^i(?:['’]d)? (?:think|believe|recommend|suggest|understand (?:your|that you|how)|hope you|see that you|found your)\b|^(?:great|good|excellent) question|^happy to help|^glad (?:to help|you)|^thank(?:s| you)(?:[!,.]| for (?:your|the|sharing|asking|letting|reaching))|^you['’]re (?:absolutely |quite )?(?:right|welcome)/i,
  /^i(?:['’]ll| will| can|['’]d be happy to|['’]d be glad to| would be happy to)(?: also| now| gladly)? (?:help|explain|show|walk|start|look|check|go|take|fix|update|create|write|do|add|run|make|search|read|begin|continue|proceed|implement|answer|get)\b/i,
  /^(?:now,? )?let me (?:help|explain|show|walk|start|look|check|take|fix|try|run|break|search|read|think|know|see|begin|continue|answer)\b|^let['’]s (?:start|begin|look|take|go|see|fix|try|break|continue|dive|walk)\b/i,
  /^to [^.!?\n]{1,200}, i(?:['’]ll| will| need| can)\b|^(?:could|can|would) you (?:please|provide|share|tell|confirm)\b/i,
  /^here(?:['’]s| is| are) (?:how|what you|my (?:answer|recommendation|suggestion)|(?:the|an?|some) (?:updated|fixed|corrected|complete|working|full|example|code|answer|solution|steps))\b/i,
  /^(?:klar|natürlich|na klar|gerne?|selbstverständlich|sicher|verstanden|alles klar|okay|ok|ja|hallo|hi|guten (?:tag|morgen|abend)|super|perfekt)[,!.]|^gerne? (?:helfe|erkläre|zeige|kann|mache)|^danke für|^(?:ich (?:werde|kann|zeige|erkläre)|lass mich) (?:dir|ihnen|das|jetzt|nun|gerne|kurz|mal)\b/i,
  /^(?:bien sûr|d['’]accord|certainement|avec plaisir|bonjour|très bien|compris|parfait|oui|entendu)\s?[,!.]|^merci (?:pour|de)|^(?:je vais|laissez-moi|laisse-moi) (?:vous|te|t['’]|maintenant|d['’]abord)|^voici comment/i,
  /^¡?(?:claro|claro que sí|por supuesto|desde luego|de acuerdo|entendido|hola|perfecto|sí|vale)[,!.]|^gracias por|^(?:voy a|déjame|permíteme) (?:ayud|explic|mostr|revis|empez)|^aquí tienes/i,
  /^(?:claro|com certeza|entendido|olá|oi|certo|perfeito|sim|ótimo)[,!.]|^obrigad[oa] (?:por|pela|pelo)|^(?:vou|deixe-me) (?:te |lhe )?(?:ajudar|explicar|mostrar|verificar|começar)/i,
  /^(?:certo|certamente|va bene|capito|ciao|salve|perfetto|sì|ottimo|volentieri)[,!.]|^grazie per|^(?:ecco come|lascia che|ti spiego|ti mostro)/i,
  /^(?:natuurlijk|zeker|prima|begrepen|hallo|hoi|ja|perfect|goed)[,!.]|^bedankt voor|^graag gedaan|^(?:ik zal|laat me|ik kan je|ik help je) /i,
  /^(?:不用谢|不客气|别客气)|^(?:嗨|嘿|哈喽)[，,！!]|^(?:我(?:建议|推荐|认为|觉得|相信|明白你|明白您|理解你|理解您|也))|^(?:那我|那你|看来你|看来您)|^(?:当然|好的|好吧|没问题|可以的|你好|您好|明白了|收到|谢谢|當然|沒問題|是的)[，,。！!：:]|^(?:让我|我来|我会|我可以)(?:帮|为|看|解释|检查|给)/,
  /^(?:はい|もちろん(?:です)?|かしこまりました|承知(?:いた)?しました|了解(?:です|しました)|わかりました|こんにちは|ありがとうございます)[、。！!]/,
  /^(?:네|예|물론(?:입니다|이죠)?|알겠습니다|안녕하세요|감사합니다)[,.! ]/,
  /^(?:конечно|хорошо|понятно|понял|привет|здравствуйте|да|отлично)[,.!]|^спасибо за|^(?:давайте|позвольте) /i,
]

export const CLOSING_OFFERS: readonly RegExp[] = [
  /^(?:(?:so|and|also|finally|please|but|otherwise|just)[, ]+)*(?:let me know|feel free to|would you like|do you want me|shall i|should i|want me to|is there anything (?:else )?(?:i|you)|if you(?:['’]d| would)? (?:like|want|need|have (?:any|more|further|other))|i(?:['’]m| am) (?:happy|here|glad) to|i hope (?:this|that)|hope (?:this|that) helps|don['’]t hesitate|please (?:confirm|provide|share|send|tell|hold|choose|select|specify|feel|note that you|try)|have a (?:great|nice|good|wonderful|safe|lovely)|see you|take care|good luck|good ?bye|enjoy (?:your|the)|what would you like|which (?:one|option|approach) (?:do|would) you|how (?:can|may) i (?:help|assist)|does (?:that|this) (?:help|make sense|work|sound))\b|[,;–—] (?:please |just |so )?let me know\b/i,
  /^(?:(?:sag|gib|lass|melde)\b.{0,30}(?:bescheid|wissen|dich)|(?:sagen|geben|lassen|melden) sie\b.{0,30}(?:bescheid|wissen|sich)|möchtest du|möchten sie|soll ich|willst du|wollen sie|kann ich (?:dir|ihnen)|(?:hast du|haben sie) noch|(?:wenn|falls) (?:du|sie) (?:noch|möchte|will|weitere|fragen|etwas|hilfe)|wie kann ich (?:dir|ihnen)|viel (?:erfolg|spaß|glück)|bis (?:bald|dann|morgen)|schönen? (?:tag|abend)|ich hoffe,? (?:das|dass))(?!\p{L})/iu,
  /^(?:n['’]hésite[zs]?|souhaitez-vous|voulez-vous|veux-tu|dois-je|puis-je|si vous (?:avez|souhaitez|voulez)|si tu (?:as|veux)|dites-moi|dis-moi|comment puis-je|j['’]espère que)/i,
  /^¿?(?:quieres que|quiere que|deseas? que|te gustaría|le gustaría|debo|puedo ayudar|necesitas algo|avísame|dime si|hazme saber|no dudes en|si (?:quieres|necesitas|deseas?)|en qué puedo|espero que)/i,
  /^(?:(?:você )?(?:quer que|gostaria|deseja que|precisa de mais)|me avise|avise-me|fique à vontade|se (?:você )?(?:quiser|precisar)|posso ajudar|como posso|espero que)/i,
  /^(?:vuoi che|vuole che|desideri|posso aiutar|devo|fammi sapere|mi faccia sapere|se (?:vuoi|hai bisogno)|non esitare|come posso|spero che)/i,
  /^(?:wil je|wilt u|zal ik|laat (?:het )?(?:me|mij|maar)(?: even)? weten|als je (?:wilt|nog|meer)|hoe kan ik|heb je nog|ik hoop dat)/i,
  /^(?:(?:请问)?(?:您|你)?(?:还)?(?:需要我|要我|想让我|希望我|是否需要|要不要|想要我|需要什么)|如果(?:您|你)(?:需要|想|有|还|愿意)|请(?:随时)?(?:告诉|告知|联系)我|(?:欢迎)?随时(?:告诉|联系|提问)|(?:还)?有什么(?:我|可以|其他|需要)|希望(?:这|你|您|对你|对您|我)|祝(?:你|您)|再见|期待(?:与|和)?(?:你|您)|我们下次)/,
  /(?:しましょうか|いかがでしょうか|よろしいでしょうか|必要ですか|(?:お知らせ|教えて|おっしゃって|お尋ね|お申し付け)ください|お気軽に.*)[?？。！]?$/,
  /(?:알려\s?주세요|말씀해\s?주세요|드릴까요|도와드릴까요|원하시나요|하시겠습니까)[?.!]?$/,
  /^(?:дайте (?:мне )?знать|хотите(?:,)? (?:чтобы|я)|нужно ли мне|если (?:вы )?(?:хотите|нужно|у вас)|чем (?:я )?могу помочь|надеюсь)/i,
]

/** Something is wanted of the user, in any of the writer's own sentences. */
export const ASKS_USER =
  /(?:^|[.!?] )(?:could|can|would) you (?:please|provide|share|tell|confirm)\b|(?:^|[.!?] )please (?:confirm|provide|share|send|tell|hold|choose|select|specify)\b/im

/** The last sentence says what the writer does next: work goes on, nothing is summed up. */
export const INTENTS =
  /^(?:(?:now|next|then|so|okay|first|finally|and),? )*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i can (?:help|proceed|assist)|now (?:run|write|add|create|update|close|implement|check|fix|commit|test)|we can (?:now|then|proceed))\b|^(?:jetzt|nun|dann) (?:werde|prüfe|schreibe|führe|mache) ich\b|^ich werde (?:jetzt|nun|dann)\b|^(?:maintenant,? )?je vais\b|^(?:ahora )?voy a\b|^(?:现在|接下来)?(?:让我|我来|我将|我会)/iu

/** The user spoken to, not spoken of. */
export const SECOND_PERSON =
  /(?<![\p{L}'’])(?:you|your|yours|you['’](?:re|ll|ve|d)|du|dir|dich|deine?[mnrs]?|ihnen|tu|vous|votre|vos|toi|tienes|puedes|usted|ustedes|tus|você|vocês|vuoi|puoi|tuo|tua|jij|jouw|uw)(?![\p{L}'’])|[你您]|あなた|당신|(?<!\p{L})(?:вы|вам|вас|ваш[аеиу]?)(?!\p{L})/iu

/** What a summary can hardly do without: somebody who wrote or asked, or the conversation itself. */
export const SPEAKS_OF_CHAT =
  /(?<!\p{L})(?:users?(?![ _-]?(?:id|name|agent|interface|input))|(?<!ai )assistants?|conversation|discuss|asked|asks|request|wants?|wanted|agreed|decided|confirmed|nutzer|benutzer|anwender|kunde|assistent|gespräch|gebeten|bat|wollte|utilisat|assistante?|a demandé|demande|discussion|usuari|usuári|pidió|pediu|solicit|asistente|conversa|utente|ha chiesto|richiest|conversazion|gebruiker|vroeg|gevraagd|gesprek|пользовател|попросил)|用户|用戶|助手|对话|對話|要求|讨论|ユーザー|会話|依頼|사용자|대화|요청/iu
