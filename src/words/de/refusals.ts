import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('de-DE');

const VERBS = {
  look: 'ansehen',
  read: 'lesen',
  install: 'installieren',
  zip: 'herunterladen',
  take: 'abrufen',
  files: 'lesen',
  ask: 'befragen',
};

const account: Words['refusals']['account'] = {
  overPlainHttp:
    'Von einem anderen Gerät aus können Sie sich nicht unverschlüsselt (http) anmelden. Öffnen Sie diese Seite über https, oder starten Sie den Stand mit --insecure-http.',
  hasOwner: 'Dieser Stand hat schon einen Eigentümer. Melden Sie sich an.',
  byProxy:
    'Hier gibt es keine Passwörter: Sie melden sich über Ihre Organisation an. Gehen Sie auf die Startseite.',
  proxyHeader: ({ header }) =>
    `Die Anmeldung ist falsch eingerichtet: Der Proxy muss den Header ${header} einmal und mit einer E-Mail-Adresse in ASCII senden. Sagen Sie es den Betreibern.`,
  proxyUnknown: ({ address }) => `Für ${address} gibt es hier kein Konto. Bitten Sie die Betreiber darum.`,
  cannotMailLink: 'Hier werden keine Mails verschickt. Bitten Sie die Betreiber um einen Link.',
  cannotSignUp: 'Ein Konto können Sie hier nicht selbst anlegen. Bitten Sie die Betreiber darum.',
  cannotMailNews: 'Hier werden keine Mails verschickt, also auch keine Neuigkeiten.',
  cannotEndNews:
    'Mit diesem Link lassen sich die Neuigkeiten nicht abbestellen: Er ist abgelaufen oder nicht von hier. Das geht auch auf Ihrer Kontoseite.',
  notAnEReader: ({ text }) =>
    `An „${text}“ lässt sich kein Buch senden. Geben Sie eine Adresse ein, die auf @kindle.com oder @pbsync.com endet.`,
  mailedEnough: ({ most }) =>
    `Mehr als ${most} Bücher in 24 Stunden lassen sich nicht an einen E-Reader senden. Versuchen Sie es morgen wieder, oder laden Sie das EPUB herunter.`,
  bookTooLarge: ({ size, most }) =>
    `Dieses EPUB ist mit ${size} zu groß für eine Mail; möglich sind höchstens ${most}. Laden Sie es stattdessen herunter.`,
  notAnEmail: ({ text }) =>
    `„${text}“ ist keine E-Mail-Adresse. Schreiben Sie sie in der Form name@example.org.`,

  wrongSignIn:
    'Die E-Mail-Adresse oder das Passwort ist falsch. Geben Sie beides noch einmal ein, und achten Sie auf Groß- und Kleinschreibung.',
  wrongSignInCode: ({ most }) =>
    `Dieser Code oder Link ist falsch oder wurde schon benutzt. Fordern Sie nach ${most} falschen eine neue Mail an.`,
  disabled: 'Dieses Konto ist gesperrt. Wenden Sie sich an die Betreiber.',
  passwordChanged:
    'Während Sie sich anmeldeten, wurde das Passwort geändert oder das Konto gesperrt. Melden Sie sich noch einmal an.',
  signInLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Zu viele Versuche sind fehlgeschlagen. Warten Sie eine Sekunde, und versuchen Sie es dann noch einmal.',
      other: `Zu viele Versuche sind fehlgeschlagen. Warten Sie ${f.number(seconds)} Sekunden, und versuchen Sie es dann noch einmal.`,
    }),
  passwordsLater: 'Gerade melden sich zu viele an. Versuchen Sie es in einer Sekunde noch einmal.',

  wrongSecondCode:
    'Der Code ist falsch, zu alt oder schon benutzt. Geben Sie den ein, den Ihre App jetzt zeigt.',
  secondCodesLater: ({ seconds }) =>
    f.plural(Math.ceil(seconds / 60), {
      one: 'Zu viele Codes waren falsch. Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
      other: `Zu viele Codes waren falsch. Warten Sie ${f.number(Math.ceil(seconds / 60))} Minuten, oder nehmen Sie die andere Art von Code.`,
    }),
  codeTooLate: 'Seit dem Passwort sind mehr als fünf Minuten vergangen. Melden Sie sich noch einmal an.',
  wrongStepPassword: 'Das Passwort ist falsch. Geben Sie es noch einmal ein.',

  passwordBlank: 'Das Passwort ist leer. Geben Sie eines ein.',
  passwordShort: ({ count, fewest }) =>
    `Das Passwort ist zu kurz: ${f.number(count)} von mindestens ${f.number(fewest)} Zeichen. Am besten sind mehrere Wörter.`,
  passwordLong: ({ count, most }) =>
    `Das Passwort ist zu lang: Es hat ${f.number(count)} Zeichen und darf höchstens ${f.number(most)} haben.`,
  passwordIsName:
    'Dieses Passwort ist zu leicht zu erraten: Es ist Ihre E-Mail-Adresse oder der Name dieser Seite. Wählen Sie ein anderes, am besten mehrere Wörter.',
  passwordIsCommon:
    'Dieses Passwort ist zu leicht zu erraten: Es gehört zu den häufigsten überhaupt. Wählen Sie ein anderes, am besten mehrere Wörter.',
  wrongCurrent: 'Das bisherige Passwort ist falsch. Geben Sie es noch einmal ein.',

  emailIsYours: ({ email }) => `„${email}“ ist schon Ihre Adresse. Geben Sie eine andere ein.`,
  emailUnmailable: ({ email }) =>
    `An „${email}“ lässt sich keine Mail schicken. Geben Sie eine andere Adresse ein.`,
  emailWrongPassword: 'Das Passwort ist falsch. Geben Sie es noch einmal ein.',
  emailNotTheirs:
    'Geben Sie das Passwort des Kontos ein, dessen Adresse sich ändern soll. Waren Sie das nicht, schließen Sie diese Seite einfach.',
  emailNeedsSignIn:
    'Melden Sie sich bei dem Konto an, das diese Adresse bekommen soll, und öffnen Sie den Link dann noch einmal.',
  signInFirst: 'Melden Sie sich dafür noch einmal mit einem Link per Mail an.',
  wrongPassword: 'Das Passwort ist falsch. Geben Sie es noch einmal ein.',
  noSession: 'Diese Sitzung ist schon beendet.',
  noAssistant: 'Diesen Assistenten gibt es nicht mehr: Er ist schon getrennt.',

  linkUnusable:
    'Dieser Link gilt nicht: Er wurde schon benutzt, ist abgelaufen oder nicht von hier. Haben Sie ein Konto, melden Sie sich an; sonst bitten Sie die Betreiber um einen neuen.',
  linkOfAccount:
    'Zu der Adresse dieses Links gibt es schon ein Konto. Melden Sie sich an, und öffnen Sie den Link dann noch einmal.',

  claimsLater:
    'Es wurde zu oft nach unbekannten Käufen gesucht. Warten Sie eine Minute, und laden Sie die Seite dann neu.',
  cannotClaim:
    'Dieser Kauf wurde schon abgeholt, oder zu seiner Adresse gibt es ein Konto. Melden Sie sich an.',
  purchaseForgotten:
    'Seit Ihrem Kauf ist mehr als eine Stunde vergangen. Öffnen Sie den Link in der Mail, oder fordern Sie sie noch einmal an.',
  heldByOther: ({ ref, holder }) =>
    `Die Bestellung ${ref} liegt in der Bibliothek von ${holder}. Melden Sie sich mit diesem Konto an.`,
  orderGivenBack: ({ ref }) =>
    `Die Bestellung ${ref} wurde erstattet. Ist das ein Irrtum, wenden Sie sich an die Betreiber.`,
  orderDisputed: ({ ref }) =>
    `Gegen die Zahlung der Bestellung ${ref} läuft ein Widerspruch. Öffnen Sie den Link noch einmal, wenn darüber entschieden ist.`,
  orderOpensNothing: ({ ref }) =>
    `Die Bestellung ${ref} gilt zurzeit nicht. Ist das ein Irrtum, wenden Sie sich an die Betreiber.`,
  orderIsPresent: ({ ref }) =>
    `Die Bestellung ${ref} ist ein Geschenk geworden. Lösen Sie dessen Code unter /redeem ein.`,
  notYourPresent:
    'Verschenken können Sie diesen Kauf nur mit dem Konto, das ihn hat. Melden Sie sich damit an, oder fragen Sie die Betreiber.',
  presentBefore: ({ ref }) => `Die Bestellung ${ref} ist schon ein Geschenk, oder sie ist nicht bezahlt.`,

  codeEmpty: 'Geben Sie einen Code ein.',
  codesLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Zu viele Codes waren falsch. Warten Sie eine Sekunde, und versuchen Sie es dann noch einmal.',
      other: `Zu viele Codes waren falsch. Warten Sie ${f.number(seconds)} Sekunden, und versuchen Sie es dann noch einmal.`,
    }),
  code: {
    unknown: 'Diesen Code gibt es hier nicht. Vergleichen Sie ihn mit dem, den Sie bekommen haben.',
    revoked: 'Dieser Code wurde widerrufen. Fragen Sie dort nach, wo Sie ihn bekommen haben.',
    late: 'Dieser Code ist abgelaufen. Fragen Sie dort nach, wo Sie ihn bekommen haben.',
    used: 'Dieser Code ist aufgebraucht. Fragen Sie dort nach, wo Sie ihn bekommen haben.',
    unpaid:
      'Der Kauf zu diesem Code wurde erstattet oder ist abgelaufen. Fragen Sie dort nach, wo Sie ihn bekommen haben.',
  },
  codeNeedsEmail: 'Geben Sie für das Konto Ihre E-Mail-Adresse ein, etwa ada@example.org.',
  codeForOthers:
    'Ihr eigenes Exemplar liegt schon in Ihrer Bibliothek. Dieser Code ist für die anderen, für die Sie gekauft haben.',
  noMoneyBack:
    'Für diese Bestellung können Sie Ihr Geld nicht zurückverlangen: Sie gehört Ihnen nicht oder ist nicht bezahlt, die Garantie ist abgelaufen, oder Sie haben es schon zurückverlangt.',
  noCopies: 'Zu keiner Ihrer bezahlten Bestellungen gehören Exemplare für andere.',
  codeOfAccount:
    'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an, und geben Sie den Code dann noch einmal ein.',

  notForSale: ({ slug }) => `Unter dem Namen „${slug}“ gibt es nichts zu kaufen.`,
  noOrder: ({ provider, key }) => `Bei ${provider} gibt es keine Bestellung ${key}.`,
};

const request: Words['refusals']['request'] = {
  titles: {
    401: 'Bitte zuerst anmelden',
    403: 'Nicht erlaubt',
    404: 'Seite nicht gefunden',
    405: 'So nicht möglich',
    413: 'Zu groß',
    429: 'Zu viele Anfragen',
    503: 'Zurzeit nicht verfügbar',
  },
  failed: 'Da ist etwas schiefgegangen',
  toShop: 'Alle Bücher und Skills',

  noPage: 'Unter dieser Adresse gibt es keine Seite. Alle Bücher und Skills finden Sie auf der Startseite.',
  notFound: ({ name }) =>
    `„${name}“ gibt es hier nicht. Alle Bücher und Skills finden Sie auf der Startseite.`,
  noFile: 'Diese Datei gibt es nicht mehr. Laden Sie die Seite neu.',
  otherMethod: ({ method, allow }) => `Diese Adresse nimmt kein ${method} an, nur ${allow}.`,
  internal: ({ id }) =>
    `Ein interner Fehler ist aufgetreten. Die Betreiber finden ihn im Protokoll unter der Anfrage ${id}.`,
  storage: ({ id }) =>
    `Zurzeit lässt sich nichts speichern. Versuchen Sie es später noch einmal. Die Betreiber finden die Ursache im Protokoll unter der Anfrage ${id}.`,
  outOfFiles: 'Gerade sind zu viele Verbindungen offen. Versuchen Sie es später noch einmal.',

  signIn: 'Für diese Seite müssen Sie angemeldet sein. Melden Sie sich an, und versuchen Sie es noch einmal.',
  foreignForm: ({ origin }) =>
    `Dieses Formular kam nicht von unseren eigenen Seiten. Öffnen Sie ${origin}, und senden Sie es von dort.`,
  badTarget:
    'Die Adresse enthält einen umgekehrten Schrägstrich, Punkte als Ordner oder einen Rechnernamen. Rufen Sie nur den Pfad auf, mit „%5C“ statt „\\“.',
  keyInQuery:
    'Ein API-Schlüssel gehört nicht in eine Adresse. Senden Sie ihn als „Authorization: Bearer svc_…“, und widerrufen Sie ihn, falls andere diese Adresse gesehen haben können.',

  cutShort: 'Die Anfrage kam nicht vollständig an.',
  tooSlow: ({ seconds }) =>
    `Die Anfrage kam nicht innerhalb von ${f.number(seconds)} Sekunden vollständig an. Senden Sie sie schneller.`,
  tooLarge: ({ kib }) => `Die Anfrage ist größer als ${f.number(kib)} KiB. Senden Sie eine kürzere.`,
  bodiesLater: 'So große Anfragen kommen gerade zu viele. Senden Sie Ihre noch einmal.',
  manyFields: ({ most }) =>
    `Das Formular hat mehr als ${f.number(most)} Felder. Senden Sie es von der Seite, zu der es gehört.`,
  noForm: 'Dieses Formular ist nicht lesbar. Senden Sie es von der Seite, zu der es gehört.',

  addressLater: ({ limit, seconds, wait }) =>
    `Von dieser Adresse kamen mehr als ${f.number(limit)} Anfragen in ${f.number(seconds)} s. Warten Sie ${f.number(wait)} s.`,
  accountLater: ({ limit, seconds, wait }) =>
    `Von diesem Konto kamen mehr als ${f.number(limit)} Anfragen in ${f.number(seconds)} s. Warten Sie ${f.number(wait)} s.`,
  questionsAtOnce: ({ most }) =>
    `Ein Konto kann höchstens ${f.number(most)} Fragen gleichzeitig stellen. Warten Sie, bis eine beantwortet ist.`,
  filesAtOnce: 'Ein Konto kann nur eine Datei auf einmal speichern. Warten Sie, bis die erste fertig ist.',
  listsAtOnce: ({ most }) =>
    `Ein Konto kann höchstens ${f.number(most)} lange Listen gleichzeitig laden. Warten Sie, bis eine fertig ist.`,
  downloadsLater: 'Gerade laufen zu viele Downloads. Versuchen Sie es noch einmal, wenn einige fertig sind.',
  searchesAtOnce: ({ most }) =>
    `Mehr als ${f.number(most)} Suchen gleichzeitig sind nicht möglich. Warten Sie, bis eine fertig ist.`,
};

const library: Words['refusals']['library'] = {
  key: {
    notFound: ({ id }) => `Einen Schlüssel „${id}“ haben Sie nicht. Laden Sie die Liste Ihrer Schlüssel neu.`,
    badName: ({ most }) => `Dieser Name geht nicht. Geben Sie 1 bis ${most} Zeichen ohne Zeilenumbruch ein.`,
    full: ({ most }) => `Mehr als ${most} aktive Schlüssel sind nicht möglich. Widerrufen Sie zuerst einen.`,
    sentBefore:
      'Dieses Formular wurde schon abgeschickt, deshalb wurde jetzt kein Schlüssel angelegt. Ist der Schlüssel in der Liste nicht der, den Sie kopiert haben, widerrufen Sie ihn, und schicken Sie das Formular noch einmal ab.',
  },
  token: {
    notFound: ({ id }) => `Einen Link „${id}“ haben Sie nicht. Laden Sie die Liste Ihrer Links neu.`,
    badName: ({ most }) => `Dieser Name geht nicht. Geben Sie 1 bis ${most} Zeichen ohne Zeilenumbruch ein.`,
    full: ({ most }) => `Mehr als ${most} aktive Links sind nicht möglich. Widerrufen Sie zuerst einen.`,
    sentBefore:
      'Dieses Formular wurde schon abgeschickt, deshalb wurde jetzt kein Link angelegt. Ist der Link in der Liste nicht der, den Sie kopiert haben, widerrufen Sie ihn, und schicken Sie das Formular noch einmal ab.',
    unknown:
      'Dieser Link öffnet nichts: Er ist falsch abgeschrieben, widerrufen oder abgelaufen. Wer ihn angelegt hat, kann auf der Seite /dashboard/connect einen neuen anlegen.',
  },
  noTerm: ({ text }) =>
    `„${text}“ geht nicht als Gültigkeit. Geben Sie 1 bis 9999 Tage an, oder „never“ für unbegrenzt.`,
  notHeld: 'Dieser Titel gehört Ihnen nicht mehr. Wählen Sie einen anderen.',
  unknownKey: ({ key }) => `Einen Schlüssel „${key}“ gibt es nicht. Wählen Sie einen aus der Liste.`,
  noTime: ({ text }) => `„${text}“ ist keine Zeitangabe. Schreiben Sie 2026-11-20 oder 2026-11-20T14:30:00Z.`,
};

export const refusals: Words['refusals'] = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }) =>
      `„${path}“ gibt es in „${slug}“ nicht. Alle Dateien finden Sie unter ${page}`,
    cannot: ({ action, slug, wasSold }) =>
      `„${slug}“ können Sie ${wasSold ? 'in der verkauften Fassung ' : ''}nicht ${VERBS[action]}`,
    notYours: ({ cannot, remedy }) => `${cannot}: Es ist nicht in Ihrer Bibliothek. ${remedy}`,
    notYet: ({ expected }) =>
      `Es ist noch nicht erschienen${expected === null ? '' : ` (erwartet: ${expected})`}.`,
    free: ({ slug }) => `Es ist kostenlos und lässt sich über /api/install/${slug} installieren`,
    buyAt: ({ price, url }) => `Für ${price} bekommen Sie es unter ${url}`,
    buyFrom: ({ price, contact }) => `Für ${price} bekommen Sie es hier: ${contact}`,
    buyOf: ({ price, publisher }) => `Für ${price} bekommen Sie es bei ${publisher}`,
    orConfirm: ({ url, remedy }) =>
      `Haben Sie es mit der Adresse dieses Kontos gekauft oder geschenkt bekommen, wartet es, bis die Adresse unter ${url} bestätigt ist. ${remedy}`,
    notPublished: ({ slug }: { slug: string }) =>
      `„${slug}“ kann noch nicht ausgegeben werden: Es ist noch nicht erschienen; auf seiner Seite steht, wann es erwartet wird`,
    noText: ({ slug }) => `„${slug}“ hat keinen Text, aus dem sich Fragen beantworten lassen.`,
    unproven: ({ slug }) =>
      `Zitate aus „${slug}“ lassen sich nicht beweisen: Der Verlag hat sie nicht signiert.`,
    proofsLater: ({ most }) =>
      `Mehr als ${most} Beweise aus bezahlten Büchern pro Stunde gibt es nicht. Versuchen Sie es später noch einmal.`,
    sessionEnded: ({ slug }) =>
      `Mit „${slug}“ geht es nicht weiter, denn Sie sind nicht mehr angemeldet. Melden Sie sich bitte neu an.`,
    stopped: 'Die Antwort ist mittendrin abgebrochen. Fragen Sie bitte noch einmal.',
    tokensSpent:
      'Für heute sind alle Anfragen an das Modell verbraucht. Fragen Sie nach Mitternacht (UTC) wieder.',
    questionsSpent: ({ most }) =>
      `Mehr als ${f.number(most)} Fragen am Tag beantwortet das Modell nicht. Fragen Sie nach Mitternacht (UTC) wieder.`,
    epubFailed: ({ slug }) =>
      `Das EPUB von „${slug}“ konnte nicht erstellt werden. Versuchen Sie es später noch einmal, und geben Sie uns bitte Bescheid.`,
    epubEmpty: ({ slug }) => `Von „${slug}“ gibt es kein EPUB, denn es hat keine Kapitel.`,
    epubBusy: 'Gerade werden zu viele EPUBs erstellt. Versuchen Sie es in einer Minute noch einmal.',
    reports: {
      many: ({ most }) =>
        `Mehr als ${f.number(most)} offene Hinweise sind nicht möglich. Warten Sie, bis die Autoren einige erledigt haben.`,
      noQuestion: ({ most }) =>
        `Diese Frage lässt sich nicht schicken: Sie hat 1 bis ${f.number(most)} Zeichen. Stellen Sie sie dem Buch, und schicken Sie sie von dort.`,
    },
    notes: {
      noPage:
        'Hier geht es nicht weiter: Die Notiz wurde gelöscht, oder ihr Buch ist geschlossen. Öffnen Sie Ihre Notizen bitte neu.',
      noText: ({ path }) => `Das Buch hat keinen Text „${path}“.`,
      noWords: ({ most }) =>
        `Diese Wörter lassen sich nicht merken: Eine Notiz gehört zu 1 bis ${f.number(most)} Zeichen aus einem Text. Wählen Sie bitte andere.`,
      noNote: 'Diese Notiz gibt es nicht: Sie wurde gelöscht oder gehört Ihnen nicht.',
      many: ({ most }) =>
        `Mehr als ${f.number(most)} Notizen zu einem Buch sind nicht möglich. Löschen Sie zuerst einige.`,
      full: ({ megabytes }) =>
        `Mehr als ${f.number(megabytes)} MB Notizen sind nicht möglich. Löschen Sie zuerst einige.`,
      tooLong: ({ most }) =>
        `Eine Notiz kann höchstens ${f.number(most)} Zeichen haben. Bitte kürzen Sie sie.`,
      newEdition:
        'Das Buch hat eine neue Ausgabe. Laden Sie die Seite neu, und wählen Sie die Wörter noch einmal aus.',
      noPlace: 'Diese Wörter lassen sich im Text nicht finden. Wählen Sie bitte andere.',
    },
    model: {
      cut: 'Das Modell hat die Antwort abgebrochen. Fragen Sie bitte noch einmal.',
      gaveUp: 'Das Modell hat die Antwort aufgegeben. Fragen Sie bitte noch einmal.',
      overloaded: 'Das Modell ist überlastet. Fragen Sie in einer Weile noch einmal.',
      refused: 'Das Modell nimmt zurzeit keine Fragen an. Geben Sie uns bitte Bescheid.',
      questionTooLong: 'Die Frage ist für das Modell zu lang. Bitte kürzen Sie sie.',
      promptTooLong:
        'Die Frage und die Textstellen sind zusammen zu lang für das Modell. Stellen Sie eine kürzere Frage, oder geben Sie uns Bescheid.',
      unreachable: 'Das Modell ist gerade nicht erreichbar. Versuchen Sie es in einer Weile noch einmal.',
      late: 'Das Modell antwortet nicht rechtzeitig. Fragen Sie noch einmal oder etwas genauer.',
      busy: 'Das Modell beantwortet gerade so viele Fragen, wie es kann. Fragen Sie gleich noch einmal.',
      otherProtocol: 'Die Antwort des Modells ist nicht zu lesen. Geben Sie uns bitte Bescheid.',
      noJson: 'Die Antwort des Modells ist nicht zu lesen. Fragen Sie bitte noch einmal.',
      noEnd: 'Die Antwort des Modells ist nicht zu lesen.',
      reasoning: 'Das Modell hat Antwort und Überlegungen vermischt. Fragen Sie bitte noch einmal.',
      promptCut:
        'Auf die Antwort ist kein Verlass: Das Modell hat nicht alles gelesen. Geben Sie uns bitte Bescheid.',
    },
  },
};
