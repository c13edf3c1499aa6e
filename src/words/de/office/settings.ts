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
  unencrypted: 'Bücher dürfen unverschlüsselt dorthin gesendet werden: Das Netz dazwischen gehört mir',
  fallback: 'Wenn das Sprachmodell ausfällt, mit Zitaten antworten',
  inFile: 'In der Datei, die dort genannt ist',
};

export const backups: OfficeWords['backups'] = {
  lead: 'Eine Sicherung enthält die Datenbank und die Titel, die hier hinzugefügt oder hierher gesendet wurden. Nicht enthalten sind der Inhaltsordner, falls es einen gibt, und der Schlüssel, mit dem aufbewahrte Zugangsdaten verschlüsselt sind: Schlüssel und Passwörter von Anbietern geben Sie nach dem Wiederherstellen neu ein.',
  often: {
    off: 'Nur auf Wunsch',
    '1h': 'Jede Stunde',
    '6h': 'Alle sechs Stunden',
    '24h': 'Jeden Tag',
    '7d': 'Jede Woche',
  },
  planTitle: 'Zeitplan',
  plan: { every: 'Wie oft', keep: 'Wie viele' },
  lastTitle: 'Letzte Sicherung',
  failed: ({ failure }) => `Der letzte Versuch schlug fehl: ${failure}.`,
  sound: 'Sie wurde nach dem Anlegen noch einmal gelesen und hat sich seither nicht geändert',
  makeButton: 'Jetzt sichern',
  keptTitle: 'Aufbewahrte Sicherungen',
  keptHint: ({ directory }) =>
    `Sie liegen auf dem Server, in ${directory}: Laden Sie eine herunter, um sie anderswo aufzubewahren.`,
  caption: 'Sicherungen, die neuesten zuerst',
  made: 'Angelegt',
  database: 'Datenbank',
  noBackups: 'Noch keine Sicherungen.',
  restoreHint:
    'Wiederhergestellt wird mit dem Befehl „bookstall restore“, während der Server angehalten ist: Schlüssel, die seither widerrufen, und Konten, die seither gesperrt oder gelöscht wurden, gelten dann wieder.',
  everyHint: 'Die erste wird sofort angelegt',
  keepHint: 'Sind es mehr, werden die ältesten gelöscht',
  downloadForm: 'Sicherung herunterladen',
  downloadButton: 'Herunterladen',
  downloadHint:
    'Eine Datei, die „bookstall restore“ annimmt. Sie enthält die Adressen Ihrer Leserschaft: Bewahren Sie sie sicher auf',
  password: 'Ihr Passwort',
  codeHint: 'Aus der App Ihres zweiten Schritts',
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
  editor: 'Konto',
  notOpened: ', hat den Link noch nicht geöffnet',
  endButton: 'Mitarbeit beenden',
  noEditors: 'Noch arbeitet niemand mit. Laden Sie jemanden ein: Die E-Mail-Adresse genügt.',
  inviteForm: 'Zur Mitarbeit einladen',
  email: 'E-Mail-Adresse',
  inviteButton: 'Einladen',
  invitation: 'Einladung',
  linkNote: 'Geben Sie diesen Link weiter: Damit wählt die Person ihr Passwort.',
  back: 'Zurück zur Mitarbeit',
};

export const mailSettings: OfficeWords['mailSettings'] = {
  noMailLead: 'Dieser Stand sendet keine Mails: Sie geben seine Links von Hand weiter.',
  lead: ({ host, from }) => `Mails werden über ${host} gesendet, mit dem Absender ${from}.`,
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
  tls: 'SSL/TLS von Anfang an: Port 465',
  starttls: 'STARTTLS: Port 587',
  port: 'Port',
  portHint: 'Leer lassen für 465 oder 587',
  user: 'Benutzername',
  userHint: 'Oft die ganze Adresse; leer, wenn der Server keinen verlangt',
  password: 'Passwort',
  passwordHint: 'Wird verschlüsselt aufbewahrt und nie wieder gezeigt',
  keptHint: ({ ending }) =>
    `Aufbewahrt${ending && `; es endet auf ${ending}`}. Leer lassen, um es zu behalten`,
  senderHint: 'Die Adresse, von der Ihre Leserschaft Mails bekommt, zum Beispiel stand@example.org',
  stopConfirm: 'Nach einem Kauf kommt kein Link mehr an, bis Sie wieder einen Server einrichten.',
  stopButton: 'Keine Mails mehr senden',
  tested: ({ host, email }) =>
    `${host} hat die Mail an ${email} angenommen. Kommt sie nicht an, sehen Sie im Spam-Ordner nach, oder fragen Sie Ihren Mailanbieter.`,
  testMail: {
    subject: 'Eine Testmail Ihres Stands',
    text: 'Dieser Stand kann Mails senden.\n\nEine Antwort ist nicht nötig.\n',
  },
  userRefused: 'Er lehnt Benutzernamen oder Passwort ab',
  senderRefused: 'Er lehnt diesen Absender ab; viele nehmen nur die Adresse an, die zum Benutzernamen gehört',
  recipientRefused: 'Er lehnt Ihre Adresse ab',
  mailRefused: 'Er lehnt die Mail selbst ab',
  noHost: 'Kein Server hat diesen Namen; korrigieren Sie ihn',
  noAnswer: 'An diesem Port antwortet nichts; korrigieren Sie ihn oder die Verschlüsselung',
  silent:
    'Er antwortet nicht; versuchen Sie die andere Verschlüsselung, oder fragen Sie Ihren Hoster, ob er diesen Port sperrt',
  fellSilent: 'Mitten in der Mail antwortete er nicht mehr; fragen Sie Ihren Mailanbieter',
  wrongEncryption: 'An diesem Port versteht er diese Verschlüsselung nicht; versuchen Sie die andere',
  wrongCertificate: 'Sein Zertifikat gilt nicht für diesen Namen; nehmen Sie den, den Ihr Mailanbieter nennt',
  brokeOff:
    'Er hat abgebrochen; versuchen Sie die andere Verschlüsselung, oder fragen Sie Ihren Mailanbieter',
  otherFault: 'Er nimmt die Mail nicht an; fragen Sie Ihren Mailanbieter',
  standardWordsLead: 'Der Text von Bookstall, mit Beispielwerten.',
  ownWordsLead: ({ file }) => `Der Text aus ${file}, mit Beispielwerten.`,
  sendButton: 'An mich senden',
  back: 'Zurück zu den Mails',
};

export const rights: OfficeWords['rights'] = {
  stripe: '„Products“, „Prices“, „Payment Links“ und „Webhook Endpoints“ schreiben dürfen',
  polar: 'Produkte, Checkout-Links und Webhooks schreiben dürfen',
  lemonsqueezy: 'Produkte lesen und Webhooks schreiben dürfen, was dort jeder darf',
  gumroad: 'die Rechte view_sales und view_profile haben',
};

const MODES = { live: 'echte', test: 'Test' };

export const sellingSettings: OfficeWords['sellingSettings'] = {
  lead: 'Verbinden Sie den Zahlungsanbieter, der das Geld annimmt. Jeden Titel legen Sie dort dann über sein Formular an.',
  connectAgainButton: ({ name }) => `${name} neu verbinden`,
  connectButton: ({ name }) => `${name} verbinden`,
  key: 'Schlüssel',
  keyHint: ({ link, provider, ending }) => [
    'Anzulegen bei ',
    link,
    `; er muss ${rights[provider]}. Wird verschlüsselt aufbewahrt${ending ? `; der jetzige endet auf ${ending}` : ''}`,
  ],
  connection: ({ name }) => `Verbindung zu ${name}`,
  disconnectConfirm: ({ name }) =>
    `Verkäufe bei ${name} öffnen hier nichts, bis Sie ${name} wieder verbinden.`,
  disconnectButton: ({ name }) => `${name} trennen`,
  testForm: ({ name }) => `Testverkauf über ${name}`,
  testButton: 'Testverkauf durchspielen',
  testHint: ({ email }) =>
    `Ein Testverkauf an ${email} geht den ganzen Weg, vom Webhook bis zur Mail, und wird dann zurückgenommen.`,
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
    law: 'Rechtliches',
    items: 'Für Titel ohne eigene Angaben',
    careful: 'Vorsichtsmaßnahmen',
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
    'defaults.publisher': { label: 'Verlag', hint: 'Wer die Titel herausgibt.' },
    'defaults.currency': { label: 'Währung', hint: 'Zum Beispiel eur oder usd.' },
    'defaults.language': { label: 'Sprache', hint: 'Als Kürzel, zum Beispiel de.' },
    'defaults.license': { label: 'Lizenz', hint: 'Was man mit den Titeln tun darf.' },
    'defaults.guarantee': {
      label: 'Garantie',
      hint: 'Eine Zeile beim Preis, zum Beispiel: Innerhalb von 30 Tagen Geld zurück.',
    },
    'defaults.contact': { label: 'Kontakt für Titel', hint: 'Wen man zu einem Titel fragt.' },
    requireSignatures: {
      label: 'Signaturen',
      hint: 'Nennt stall.yaml Unterzeichner, lassen sich Titel ablehnen, die keiner von ihnen signiert hat.',
    },
    notOurs: {
      label: 'Nicht von hier',
      hint: 'Produktkennungen bei einem Zahlungsanbieter, deren Verkäufe nichts mit diesem Laden zu tun haben, eine je Zeile.',
    },
  },
  choices: {
    accounts: { closed: 'Nur, wen ich einlade und wer etwas kauft', open: 'Alle' },
    requireSignatures: {
      false: 'Titel ohne Signatur anbieten',
      true: 'Titel ablehnen, die kein Unterzeichner signiert hat',
    },
  },
  removeLogo: 'Kein Logo zeigen',
  firstLanguage: 'Erste Sprache, für alle, die keine davon bevorzugen',
  sure: 'Speichern Sie noch einmal, wenn es so sein soll',
  signaturesWarning: ({ sure }) =>
    `Titel, die kein Unterzeichner signiert hat, verlassen den Laden, auch alle, die hier hinzugefügt wurden. ${sure}`,
  languagesWarning: ({ list, sure }) =>
    `Auf Seiten und in Mails fallen dann diese Sprachen weg: ${list}. ${sure}`,
};
