import type { OfficeWords } from '../../office.ts';

export const answerSettings: OfficeWords['answerSettings'] = {
  engines: {
    extractive: 'Nur Zitate aus dem Buch, ohne Sprachmodell',
    anthropic: 'Ein Sprachmodell bei Anthropic',
    compat: 'Ein Sprachmodell unter einer anderen Adresse, zum Beispiel auf Ihrem Server',
  },
  quotesLead: 'Fragen werden mit Zitaten aus dem Buch beantwortet.',
  modelLead: ({ model, url }) =>
    `Es antwortet das Sprachmodell ${model} unter ${url}. Seine Zitate werden mit dem Buch verglichen.`,
  fields: {
    'model-url': {
      label: 'Adresse',
      hint: 'Ohne /v1, zum Beispiel http://127.0.0.1:8080. Leer lassen für Anthropic',
    },
    model: { label: 'Sprachmodell', hint: 'Sein Name auf diesem Server' },
    'context-tokens': {
      label: 'Kontext',
      hint: 'Wie viele Tokens das Sprachmodell auf einmal liest; leer: bei Anthropic 200.000, sonst 4.096',
    },
    'daily-questions': {
      label: 'Fragen am Tag',
      hint: 'Je Konto; „off“ hebt die Grenze auf. Ohne Angabe 100',
    },
    'daily-tokens': {
      label: 'Tokens am Tag',
      hint: 'Von allen zusammen; „off“ hebt die Grenze auf. Ohne Angabe 2.000.000',
    },
  },
  protocols: { messages: 'Messages API', chat: 'Chat Completions' },
  engine: 'Wer antwortet',
  testHint:
    'Eine Frage über einen Reiher; diese Seite zeigt dann, was das Sprachmodell geantwortet hat. Das kann Minuten dauern.',
  testButton: 'Testfrage stellen',
  capsTitle: 'Was es kosten darf',
  protocol: 'Protokoll',
  key: 'Schlüssel',
  keyHint:
    'Wird verschlüsselt aufbewahrt und nie wieder gezeigt; ein eigener Server braucht vielleicht keinen',
  keptHint: ({ ending }) =>
    `Aufbewahrt${ending && `; er endet auf ${ending}`}. Leer lassen, um ihn zu behalten`,
  unencrypted: 'Bücher dürfen unverschlüsselt dorthin: Das Netz dazwischen ist meines',
  fallback: 'Wenn das Sprachmodell ausfällt, mit Zitaten antworten',
  inFile: 'In der Datei, die dort genannt ist',
};

export const backups: OfficeWords['backups'] = {
  lead: 'Eine Sicherung enthält die Datenbank und die Titel, die hier hinzugefügt oder hierher gesendet wurden. Nicht enthalten sind der Schlüssel der Geheimnisse, sodass Schlüssel und Passwörter von Anbietern nach dem Wiederherstellen neu einzugeben sind, und der Inhaltsordner, falls es einen gibt.',
  often: {
    off: 'Nur auf Wunsch',
    '1h': 'Jede Stunde',
    '6h': 'Alle sechs Stunden',
    '24h': 'Jeden Tag',
    '7d': 'Jede Woche',
  },
  plan: { every: 'Wie oft', keep: 'Wie viele' },
  lastTitle: 'Die letzte',
  failed: ({ failure }) => `Der letzte Versuch schlug fehl: ${failure}.`,
  sound: 'Sie wurde nach dem Anlegen noch einmal gelesen und hat sich seither nicht geändert',
  makeButton: 'Jetzt sichern',
  keptTitle: 'Aufbewahrte Sicherungen',
  keptHint: ({ directory }) =>
    `Sie liegen auf dem Server, in ${directory}: Laden Sie eine herunter, um sie anderswo aufzubewahren.`,
  caption: 'Sicherungen, die neuesten zuerst',
  made: 'Angelegt',
  database: 'Datenbank',
  noBackups: 'Noch keine.',
  restoreHint:
    'Wiederhergestellt wird mit dem Befehl „bookstall restore“, während der Server steht: Auch Schlüssel und Konten, die seither widerrufen wurden, gelten dann wieder.',
  everyHint: 'Die erste wird sofort angelegt',
  keepHint: 'Sind es mehr, verschwinden die ältesten',
  downloadForm: 'Sicherung herunterladen',
  downloadButton: 'Herunterladen',
  downloadHint:
    'Eine Datei, die „bookstall restore“ annimmt. Sie enthält Adressen von Personen: Bewahren Sie sie sicher auf',
  password: 'Ihr Passwort',
  codeHint: 'Aus Ihrem zweiten Schritt',
  making: 'Die Sicherung läuft. Laden Sie diese Seite später neu, um sie zu sehen.',
  done: ({ size, pushed }) => `Angelegt, noch einmal gelesen und in Ordnung: ${size} und ${pushed}.`,
};

export const bundles: OfficeWords['bundles'] = {
  lead: 'Mehrere Titel zu einem Preis. Ein Paket ist im Laden, sobald alle seine Titel veröffentlicht sind.',
  bundles: 'Pakete',
  addTitle: 'Paket hinzufügen',
  remove: 'Dieses Paket löschen',
  notShown: 'Noch nicht im Laden.',
  savesNothing: 'Es kostet nicht weniger als seine Titel einzeln.',
  saves: ({ price }) => `Es spart ${price}.`,
  title: 'Titel',
  slug: 'Kurzname',
  slugHint: 'Der letzte Teil seiner Adresse, zum Beispiel alle-voegel',
  description: 'Beschreibung',
  descriptionHint: 'Markdown',
  price: 'Preis',
  priceHint: 'Zum Beispiel 29 oder 29,50',
  currency: 'Währung',
  currencyHint: 'Die seiner Titel; ohne Angabe die des Ladens',
  checkoutAddress: 'Adresse der Bezahlseite',
  checkoutAddressHint: 'Die https-Adresse, zu der „Kaufen“ führt',
};

export const helpers: OfficeWords['helpers'] = {
  lead: 'Wer mitarbeitet, fügt Titel im Büro hinzu und bearbeitet sie, sieht Entwürfe und kümmert sich um Hinweise, ohne zu sehen, von wem sie sind. Preise, Verkauf, Veröffentlichen, Personen, Geld und Einstellungen bleiben bei Ihnen.',
  editors: 'Mitarbeitende',
  editor: 'Wer',
  notOpened: ', hat den Link noch nicht geöffnet',
  endButton: 'Beenden',
  noEditors: 'Noch niemand. Laden Sie jemanden mit der E-Mail-Adresse ein.',
  inviteForm: 'Zur Mitarbeit einladen',
  email: 'E-Mail-Adresse',
  inviteButton: 'Einladen',
  invitation: 'Einladung',
  linkNote: 'Geben Sie diesen Link weiter: Damit wählt die Person ihr Passwort.',
  back: 'Mitarbeit',
};

export const mailSettings: OfficeWords['mailSettings'] = {
  noMailLead: 'Dieser Stand sendet keine Mails: Sie geben seine Links von Hand weiter.',
  lead: ({ host, from }) => `Mails gehen über ${host} hinaus, von ${from}.`,
  serverTitle: 'Mailserver',
  testHint: ({ email }) =>
    `Eine Testmail geht an ${email}; diese Seite zeigt dann, was der Server geantwortet hat.`,
  testButton: 'Testmail an mich senden',
  salesTitle: 'Mails an Sie',
  salesForm: 'Mails über Verkäufe',
  sales: 'Eine Mail zu jedem Verkauf',
  wordsTitle: 'Was der Stand sendet',
  mail: 'Mail',
  mailHint: 'Eigene Texte sind Dateien im Inhaltsordner; siehe im Handbuch das Kapitel „Mail and claims“.',
  language: 'Sprache',
  server: 'Server',
  sender: 'Absender',
  on: 'An',
  off: 'Aus',
  host: 'Server',
  hostHint: 'Der Postausgangsserver (SMTP) Ihres Mailanbieters, zum Beispiel smtp.example.org',
  encryption: 'Verschlüsselung',
  tls: 'TLS vom ersten Byte an: Port 465',
  starttls: 'STARTTLS: Port 587',
  port: 'Port',
  portHint: 'Leer lassen für 465 oder 587',
  user: 'Benutzer',
  userHint: 'Oft die ganze Adresse; leer, wenn der Server keinen verlangt',
  password: 'Passwort',
  passwordHint: 'Wird verschlüsselt aufbewahrt und nie wieder gezeigt',
  keptHint: ({ ending }) =>
    `Aufbewahrt${ending && `; es endet auf ${ending}`}. Leer lassen, um es zu behalten`,
  senderHint: 'Die Adresse, von der Ihre Leserschaft Mails bekommt, zum Beispiel stand@example.org',
  stopConfirm: 'Nach einem Kauf kommt kein Link mehr an, bis Sie wieder einen Server einrichten.',
  stopButton: 'Keine Mails mehr senden',
  tested: ({ host, email }) =>
    `${host} hat die Mail an ${email} angenommen. Kommt sie nicht an, sehen Sie im Spam nach, und fragen Sie den Betreiber.`,
  testMail: {
    subject: 'Eine Testmail Ihres Stands',
    text: 'Dieser Stand kann Mails senden.\n\nEine Antwort ist nicht nötig.\n',
  },
  userRefused: 'er lehnt Benutzer oder Passwort ab',
  senderRefused: 'er lehnt diesen Absender ab; viele nehmen nur die Adresse des Benutzers',
  recipientRefused: 'er lehnt Ihre Adresse ab',
  mailRefused: 'er lehnt die Mail selbst ab',
  noHost: 'kein Server hat diesen Namen; berichtigen Sie ihn',
  noAnswer: 'an diesem Port antwortet nichts; berichtigen Sie ihn oder die Verschlüsselung',
  silent:
    'er schweigt; versuchen Sie die andere Verschlüsselung, oder fragen Sie Ihren Hoster, ob er diesen Port sperrt',
  fellSilent: 'er verstummte mitten in der Mail; fragen Sie den Betreiber',
  wrongEncryption: 'er spricht an diesem Port nicht diese Verschlüsselung; versuchen Sie die andere',
  wrongCertificate: 'sein Zertifikat gilt nicht für diesen Namen; nehmen Sie den, den der Betreiber nennt',
  brokeOff: 'er hat abgebrochen; versuchen Sie die andere Verschlüsselung, oder fragen Sie den Betreiber',
  otherFault: 'er nimmt die Mail nicht an; fragen Sie den Betreiber',
  standardWordsLead: 'In den Worten von Bookstall, mit Beispielwerten.',
  ownWordsLead: ({ file }) => `Der Text aus ${file}, mit Beispielwerten.`,
  sendButton: 'An mich senden',
  back: 'Zurück zu den Mails',
};

export const rights: OfficeWords['rights'] = {
  stripe: '„Products“, „Prices“, „Payment Links“ und „Webhook Endpoints“ schreiben dürfen',
  polar: 'Produkte, Bezahllinks und Webhooks schreiben dürfen',
  lemonsqueezy: 'Produkte lesen und Webhooks schreiben dürfen, was dort jeder darf',
  gumroad: 'die Rechte view_sales und view_profile haben',
};

const MODES = { live: 'echte', test: 'Test' };

export const sellingSettings: OfficeWords['sellingSettings'] = {
  lead: 'Verbinden Sie den Zahlungsanbieter, der das Geld annimmt. Die Titel legen Sie dort dann in ihren Formularen an.',
  connectAgainButton: ({ name }) => `${name} neu verbinden`,
  connectButton: ({ name }) => `${name} verbinden`,
  key: 'Schlüssel',
  keyHint: ({ link, provider, ending }) => [
    'Angelegt bei ',
    link,
    `; er muss ${rights[provider]}. Wird verschlüsselt aufbewahrt${ending ? `; der jetzige endet auf ${ending}` : ''}`,
  ],
  connection: ({ name }) => `Verbindung zu ${name}`,
  disconnectConfirm: ({ name }) => `Verkäufe bei ${name} öffnen hier nichts, bis Sie es wieder verbinden.`,
  disconnectButton: ({ name }) => `${name} trennen`,
  testForm: ({ name }) => `Testverkauf über ${name}`,
  testButton: 'Testverkauf durchspielen',
  testHint: ({ email }) =>
    `Ein gespielter Verkauf an ${email} geht den ganzen Weg, vom Webhook bis zur Mail, und wird dann zurückgenommen.`,
  notConnected: 'Nicht verbunden.',
  lastEvent: ({ type, mode, when }) => [
    `Letztes Ereignis: ${type}, ${mode === 'live' ? 'echt' : 'Test'}, `,
    when,
    '.',
  ],
  noEvents: 'Noch kein Ereignis.',
  connectedLead: ({ modes, webhook }) =>
    `Verbunden für ${modes.map((mode) => MODES[mode]).join(' und ')}${modes.at(-1) === 'test' ? 'verkäufe' : ' Verkäufe'}, unter ${webhook}. `,
  lastError: ({ reason, when }) => ['Letzter Fehler: ', reason, ', ', when, '.'],
  connected: ({ name, isTest }) =>
    `${name} ist verbunden, ${isTest ? 'im Testmodus, dessen Verkäufe nichts öffnen' : 'für echte Verkäufe'}.`,
};

export const settings: OfficeWords['settings'] = {
  names: {
    shop: 'Laden',
    bundles: 'Pakete',
    selling: 'Verkauf',
    mail: 'Mails',
    answers: 'Antworten',
    backups: 'Sicherungen',
    helpers: 'Mitarbeit',
  },
  title: 'Einstellungen',
  fixedHint: ({ source }) => `Festgelegt durch ${source} und dort zu ändern.`,
};

export const shopSettings: OfficeWords['shopSettings'] = {
  lead: ({ isFixed }) =>
    `Jede Einstellung wird einzeln gespeichert und gilt sofort.${isFixed ? ' Was stall.yaml festlegt, ändern Sie dort.' : ''}`,
  groups: {
    looks: 'Name und Aussehen',
    people: 'Personen und Sprachen',
    law: 'Was das Recht von einem Laden verlangt',
    items: 'Für Titel ohne eigene Angabe',
    careful: 'Für Vorsichtige',
  },
  fields: {
    name: { label: 'Name', hint: 'Steht oben auf jeder Seite und in jeder Mail.' },
    intro: { label: 'Einleitung', hint: 'Womit der Laden beginnt, in Markdown.' },
    awning: {
      label: 'Farbe',
      hint: 'Der Streifen, Links und Knöpfe, zum Beispiel #7a1f2b. Die Schrift darauf wird so gewählt, dass sie lesbar ist.',
    },
    logo: { label: 'Logo', hint: 'Ein SVG, PNG, JPEG oder WebP, höchstens 256 KiB.' },
    featured: {
      label: 'Zuerst gezeigt',
      hint: 'Die Kurznamen von höchstens 12 Titeln, einer je Zeile; der erste wird groß gezeigt.',
    },
    contact: { label: 'Kontakt', hint: 'Eine E-Mail-Adresse oder https-Adresse für Ihre Leserschaft.' },
    accounts: {
      label: 'Konten',
      hint: 'Wer ein Konto anlegen darf. Das geht über einen Link per Mail, der Stand muss also Mails senden.',
    },
    language: { label: 'Sprache von Name und Einleitung', hint: 'Als Kürzel, zum Beispiel de oder de-CH.' },
    languages: { label: 'Sprachen der Seiten und Mails', hint: 'Die Leserschaft wählt daraus.' },
    terms: { label: 'AGB', hint: 'Markdown für eine eigene Seite, oder eine https-Adresse.' },
    privacy: { label: 'Datenschutz', hint: 'Markdown für eine eigene Seite, oder eine https-Adresse.' },
    imprint: { label: 'Impressum', hint: 'Wer hier verkauft: Markdown, oder eine https-Adresse.' },
    postalAddress: {
      label: 'Postanschrift',
      hint: 'Steht unten auf Seiten und Mails; viele Länder verlangen sie in Mails mit Neuigkeiten.',
    },
    taxLine: {
      label: 'Steuerzeile',
      hint: 'Zum Beispiel USt-IdNr. DE123456789. Sie steht unter der Anschrift.',
    },
    'defaults.publisher': { label: 'Verlag', hint: 'Wer sie herausgibt.' },
    'defaults.currency': { label: 'Währung', hint: 'Zum Beispiel eur oder usd.' },
    'defaults.language': { label: 'Sprache', hint: 'Als Kürzel, zum Beispiel de.' },
    'defaults.license': { label: 'Lizenz', hint: 'Was man mit ihnen tun darf.' },
    'defaults.guarantee': {
      label: 'Garantie',
      hint: 'Eine Zeile beim Preis, zum Beispiel: Innerhalb von 30 Tagen Geld zurück.',
    },
    'defaults.contact': { label: 'Kontakt für Titel', hint: 'Wen man zu einem Titel fragt.' },
    requireSignatures: {
      label: 'Signaturen',
      hint: 'Stehen in stall.yaml Signierende, lassen sich Titel ablehnen, die niemand von ihnen signiert hat.',
    },
    notOurs: {
      label: 'Nicht von hier',
      hint: 'Produktkennungen bei einem Zahlungsanbieter, deren Verkäufe nichts mit diesem Laden zu tun haben, eine je Zeile.',
    },
  },
  choices: {
    accounts: { closed: 'Nur wen ich einlade, und wer etwas kauft', open: 'Alle' },
    requireSignatures: {
      false: 'Titel ohne Signatur anbieten',
      true: 'Titel ablehnen, die niemand signiert hat',
    },
  },
  removeLogo: 'Kein Logo zeigen',
  firstLanguage: 'Zuerst, für alle, die keine davon bevorzugen',
  sure: 'Speichern Sie noch einmal, wenn das stimmt',
  signaturesWarning: ({ sure }) =>
    `Titel, die niemand signiert hat, verlassen den Laden, auch alle, die das Büro aufbewahrt. ${sure}`,
  languagesWarning: ({ list, sure }) => `Seiten und Mails gibt es dann nicht mehr in ${list}. ${sure}`,
};
