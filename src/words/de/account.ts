import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) =>
    left === 1
      ? 'Ein weiteres Exemplar ist für jemand anderen. Geben Sie den Link aus der Mail weiter, oder erstellen Sie hier einen neuen.'
      : `${left} weitere Exemplare sind für andere. Geben Sie den Link aus der Mail weiter, oder erstellen Sie hier einen neuen.`,
  othersByLink: ({ left }) =>
    left === 1
      ? 'Ein weiteres Exemplar ist für jemand anderen. Erstellen Sie hier einen Link, und geben Sie ihn weiter.'
      : `${left} weitere Exemplare sind für andere. Erstellen Sie hier einen Link, und geben Sie ihn weiter.`,
  title: 'Es gehört Ihnen',
  read: 'Jetzt lesen',
  epub: 'EPUB herunterladen',
  zip: 'Als ZIP herunterladen',
  agent: 'In Ihrem Agenten',
  agentNote:
    'Ihr Agent kann alles lesen, durchsuchen und befragen, was Ihnen gehört. Er braucht dafür einen Schlüssel, der nur einmal angezeigt wird.',
  makeKey: 'Schlüssel erstellen',
  keyName: 'Mein Agent',
  lines: 'Anleitung für jeden Agenten',
  order: ({ order }) => `Bestellung ${order}.`,
  password: (link) => [
    'Sie brauchen hier kein Passwort. Wenn Sie mit einem wiederkommen möchten, ',
    link('wählen Sie es jetzt'),
    '.',
  ],
  stays: (library) => ['Sie finden es jederzeit in ', library('Ihrer Bibliothek'), '.'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    'Sie finden es jederzeit in ',
    library('Ihrer Bibliothek'),
    ' und ',
    receipt('den Beleg'),
    ` bei ${provider}.`,
  ],
};

const signIn: Words['account']['signIn'] = {
  title: 'Anmelden',
  password: 'Passwort',
  toAsk: ({ title }) =>
    `Wer hier ein Konto hat, kann nach dem Anmelden Fragen an „${title}“ stellen und bekommt Antworten aus dem Buch.`,
  toAskOwned: ({ title }) =>
    `Wer „${title}“ besitzt, kann nach dem Anmelden Fragen an das Buch stellen und bekommt Antworten daraus.`,
  notByProxy:
    'Sie melden sich hier über Ihre Organisation an, und sie hat für diese Seite niemanden genannt. Laden Sie sie in einem aktuellen Browser noch einmal. Hilft das nicht, wenden Sie sich an die Betreiber dieser Seite.',
  forgot: 'Passwort vergessen?',
  mailLink: 'Link zum Anmelden zusenden',
  noAccount: (link) => ['Noch kein Konto? ', link('Legen Sie eines an'), '.'],
  bought: ({ find, redeem: enter }) => [
    'Schon etwas gekauft? ',
    find('Kauf wiederfinden'),
    ' oder ',
    enter('Code einlösen'),
    '.',
  ],
  anythingElse: 'Noch Fragen?',
  noWayIn: 'Noch kein Konto, oder Passwort vergessen?',
  ask: 'Wenden Sie sich an die Betreiber dieser Seite.',
  askAt: ({ contact }) => ['Schreiben Sie uns: ', contact, '.'],
};

const secondStep: Words['account']['secondStep'] = {
  title: 'Code eingeben',
  code: 'Code',
  hint: 'Sechs Ziffern aus der App auf Ihrem Telefon, oder ein Ersatzcode',
  cancel: 'Abbrechen',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: 'Diesen Stand einrichten',
    lead: 'Sie werden Eigentümer: Sie legen Konten an, geben Bücher und Skills frei und sehen die Protokolle.',
    button: 'Eigentümer werden',
  },
  '/invite': {
    title: 'Willkommen',
    lead: 'Wählen Sie ein Passwort, um Ihre Bibliothek zu öffnen.',
    button: 'Speichern und anmelden',
  },
  '/reset': {
    title: 'Neues Passwort wählen',
    lead: 'In allen anderen Browsern werden Sie abgemeldet. Ihre Schlüssel gelten weiter, außer bei einer Adresse, die noch nie bestätigt wurde.',
    button: 'Speichern und anmelden',
  },
  '/open': {
    title: 'Konto anlegen',
    lead: 'Wählen Sie ein Passwort. Damit wird Ihr Konto angelegt.',
    button: 'Anlegen und anmelden',
  },
  demo: {
    title: 'Das Büro dieser Demo',
    lead: 'Sehen Sie, was ein Verlag sieht: Bestellungen, Leser und Zahlen. Beim nächsten Start endet dieser Zugang, und es gibt einen neuen Link.',
    button: 'Büro öffnen',
  },
  isFor: ({ email }) => ['Für ', email, '.'],
  goOn: 'Weiter',
  code: 'Code aus dem Link',
  codeHint: 'Der Teil nach dem # in der Adresse, die Sie bekommen haben',
};

const signInLink: Words['account']['signInLink'] = {
  title: 'Mit einem Link anmelden',
  lead: 'Öffnen Sie den Link aus der Mail in diesem Browser. In einem anderen zeigt er einen Code: Geben Sie ihn hier ein.',
  code: 'Code',
  hint: 'Acht Buchstaben und Ziffern',
  elsewhere: 'Geben Sie diesen Code im anderen Browser ein',
  elsewhereLead:
    'Ein anderer Browser wollte sich anmelden: Geben Sie den Code dort ein. Waren Sie das nicht, schließen Sie diese Seite, und geben Sie den Code niemandem.',
};

const newEmail: Words['account']['newEmail'] = {
  title: 'Neue Adresse bestätigen',
  lead: 'Künftig melden Sie sich mit ihr an. In Ihren anderen Browsern werden Sie abgemeldet.',
  password: 'Ihr Passwort',
  passwordHint: 'Das Passwort des Kontos, das diese Adresse bekommen soll',
  button: 'Adresse übernehmen',
  changed: 'Adresse geändert',
  changedLead: ({ email }) => `Melden Sie sich mit ${email} und Ihrem bisherigen Passwort an.`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: 'Passwort vergessen?',
    lead: 'Geben Sie die Adresse Ihres Kontos ein. Sie bekommen einen Link, mit dem Sie ein neues Passwort wählen.',
    sent: 'Falls es zu dieser Adresse ein Konto gibt, ist der Link unterwegs. Sie können ihn dreimal pro Stunde anfordern.',
  },
  '/sign-up': {
    title: 'Konto anlegen',
    lead: 'Geben Sie Ihre Adresse ein. Sie bekommen einen Link; sobald Sie ihn öffnen und ein Passwort wählen, wird Ihr Konto angelegt.',
    sent: 'Ein Link an diese Adresse ist unterwegs. Sie können ihn dreimal pro Stunde anfordern.',
  },
  '/sign-in/mail': {
    title: 'Per Mail anmelden',
    lead: 'Geben Sie die Adresse Ihres Kontos ein. Sie bekommen dorthin einen Link, der Sie anmeldet; er gilt 30 Minuten.',
    sent: 'Falls es zu dieser Adresse ein Konto gibt, ist ein Link unterwegs. Das geht dreimal in der Stunde.',
  },
  button: 'Link anfordern',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: 'Neuigkeiten von diesem Stand',
    hint: 'Was es hier Neues gibt, per Mail. Ein Klick beendet sie.',
    button: 'Neuigkeiten bestellen',
    confirmed: 'Ab jetzt bekommen Sie Neuigkeiten',
    confirmedLead: 'Ein Link in jeder Mail beendet sie.',
  },
  told: {
    title: 'Erfahren, wenn es erscheint',
    hint: 'Eine einzige Mail, sobald es da ist. Danach wird Ihre Adresse vergessen.',
    button: 'Bescheid sagen',
    confirmed: 'Sie bekommen Bescheid',
    confirmedLead: 'Eine Mail kommt, sobald es erscheint. Danach wird Ihre Adresse vergessen.',
  },
  sent: {
    title: 'Sehen Sie in Ihr Postfach',
    lead: 'Falls an diese Adresse Mail gehen darf, ist ein Link dorthin unterwegs. Öffnen Sie ihn innerhalb von 7 Tagen; bis dahin bekommen Sie nichts weiter.',
  },
  confirm: {
    title: 'Adresse bestätigen',
    lead: 'Danach darf der Stand Ihnen die Mail schicken, um die Sie gebeten haben.',
    button: 'Bestätigen',
  },
};

const news: Words['account']['news'] = {
  title: 'Neuigkeiten abbestellen',
  lead: 'Danach kommen an diese Adresse keine Neuigkeiten mehr, auch nicht zu dem, was Sie besitzen oder gekauft haben.',
  button: 'Abbestellen',
  ended: 'Neuigkeiten abbestellt',
  endedLead:
    'An diese Adresse gehen keine Neuigkeiten mehr. Gibt es zu ihr ein Konto, können Sie sie auf der Kontoseite wieder bestellen.',
};

const redeem: Words['account']['redeem'] = {
  title: 'Code einlösen',
  lead: 'Wer einen Code einlöst, bekommt dafür ein Buch, einen Skill oder ein Paket.',
  opens: ({ items }) => ['Für diesen Code bekommen Sie ', items, '.'],
  makeAccount: (link) => [
    'Legen Sie dafür ein Konto an, oder ',
    link('melden Sie sich an'),
    ', wenn Sie schon eines haben: Der Code bleibt erhalten.',
  ],
  account: 'Konto anlegen',
  code: 'Code',
  codeHint: 'Etwa svg_ABCDE-FGHJK-…; Groß- und Kleinschreibung und Bindestriche sind egal',
  accountAndGet: 'Konto anlegen und einlösen',
  goOn: 'Weiter',
  addTo: ({ email }) => `Zu ${email} hinzufügen`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `Warten auf ${provider}`,
  yours: 'Ihr Kauf',
  find: 'Kauf wiederfinden',
  sentAgain:
    'Falls es zu dieser Adresse einen Kauf gibt, ist die Mail dazu unterwegs. Sie können sie dreimal pro Stunde anfordern.',
  late: 'Auf dieser Seite lässt sich ein Kauf nur 24 Stunden lang abholen. Öffnen Sie den Link in der Mail, oder fordern Sie sie unten noch einmal an.',
  refunded: 'Dieser Kauf wurde erstattet und gilt nicht mehr.',
  given: 'Dieser Kauf ist ein Geschenk. Wer den Code hat, löst ihn unter „Code einlösen“ ein.',
  claimed: ({ holder }) =>
    holder === ''
      ? 'Der Kauf gehört zu einem anderen Konto. Melden Sie sich mit diesem Konto an, um zu lesen.'
      : `Der Kauf gehört zum Konto ${holder}. Melden Sie sich mit diesem Konto an, um zu lesen.`,
  signIn: 'Anmelden',
  notYours: 'Nicht Ihre Adresse?',
  notYoursNote: ({ contact, order }) => [
    'Beim Bezahlen vertippt? Melden Sie sich mit Ihrem eigenen Konto an, oder schreiben Sie an ',
    contact ?? 'die Betreiber',
    ` und nennen Sie die Bestellung ${order}.`,
  ],
  paidOrder: ({ ref }) => `Bezahlt. Bestellung ${ref}`,
  refundedOrder: ({ ref }) => `Erstattet. Bestellung ${ref}`,
  add: 'Kauf hinzufügen',
  addTo: ({ email }) => `Zu ${email} hinzufügen`,
  known: ({ holder }) => `Zu ${holder} gibt es hier ein Konto: Melden Sie sich an, um den Kauf hinzuzufügen.`,
  signInToAdd: 'Melden Sie sich an, um den Kauf zu Ihrem Konto hinzuzufügen.',
  others: ({ count }) =>
    count === 1
      ? 'Sie haben zwei Exemplare gekauft: Eines kommt in Ihre Bibliothek, für das andere steht ein Link auf der nächsten Seite.'
      : `Sie haben ${count + 1} Exemplare gekauft: Eines kommt in Ihre Bibliothek, für die anderen ${count} steht ein Link auf der nächsten Seite.`,
  waits: ({ provider }) =>
    `${provider} meldet uns Ihre Zahlung, meist innerhalb von Sekunden. Diese Seite lädt von selbst neu.`,
  waitsLong: ({ contact, end }) => [
    'Es dauert länger als sonst. Ihr Kauf ist nicht verloren: Die Mail dazu kommt, sobald die Zahlung bei uns bekannt ist. Kommt sie nicht, schreiben Sie an ',
    contact ?? 'die Betreiber',
    ' und nennen Sie die Referenz, die auf ',
    end,
    ' endet.',
  ],
  forSomebody: 'Als Geschenk gekauft?',
  presentNote:
    'Sie bekommen einen Code zum Weitergeben. Wer ihn einlöst, bekommt den Kauf; Ihnen gehört er dann nicht mehr.',
  present: 'Geschenkcode erstellen',
  presentTitle: 'Ein Geschenk',
  presentOpens: ({ items }) => ['Wer diesen Code als Erster einlöst, bekommt ', items, '.'],
  enterAt: ({ url }) => `Hier einlösen: ${url}. Der Code wird nur dieses eine Mal angezeigt`,
  keepCode: ({ order }) =>
    `Bewahren Sie den Code auf, bis er eingelöst ist. Geht er verloren, bitten Sie uns um einen neuen und nennen Sie die Bestellung ${order}.`,
  toMail: (link) => ['Haben Sie eine Mail von uns? ', link('Zum Link oder zu einer neuen Mail')],
  link: 'Ihr Link',
  byLink: 'Mit dem Link in Ihrer Mail',
  boughtWith: ({ email }) => ['Gekauft mit der Adresse ', email, '.'],
  open: 'In meine Bibliothek legen',
  hasAccount: ({ email }) => [
    'Zu ',
    email,
    ' gibt es hier ein Konto. Melden Sie sich an, und öffnen Sie dann den Link in der Mail noch einmal.',
  ],
  gumroad: 'Bei Gumroad gekauft?',
  byLicenseKey: 'Mit dem Lizenzschlüssel',
  licenseKey: 'Lizenzschlüssel',
  licenseKeyHint: 'Er steht auf dem Beleg von Gumroad',
  findMine: 'Kauf suchen',
  noMail:
    'Kein Link? Diese Seite verschickt keine Mails. Fragen Sie die Betreiber, und nennen Sie Ihre Bestellnummer.',
  noMailAsk: ({ contact }) => [
    'Kein Link? Diese Seite verschickt keine Mails. Fragen Sie die Betreiber (',
    contact,
    '), und nennen Sie Ihre Bestellnummer.',
  ],
  address: 'Ihre Adresse',
  addressNote:
    'Über die Mail zu Ihrem Kauf öffnen Sie ihn. Geben Sie die Adresse ein, die Sie beim Bezahlen angegeben haben, dann schicken wir die Mail noch einmal.',
  sendAgain: 'Noch einmal senden',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) => `${provider} tut nur so: Sie brauchen keine Karte, und es fließt kein Geld.`,
  pay: 'Bezahlen',
  emailHint: 'Hier geht jede Adresse',
  payPrice: ({ price }) => `${price} bezahlen (zum Schein)`,
  receipt: 'Beleg',
  givenBack: 'Das Geld wurde zurückgezahlt. Mit diesem Kauf können Sie nicht mehr lesen.',
  paid: ({ price, at }) => [`${price} am `, at],
  refund: 'Erstattung',
  refundNote: 'Mit diesem Kauf können Sie danach nicht mehr lesen, wie nach einer echten Erstattung.',
  giveBack: 'Geld zurückbekommen (zum Schein)',
  back: 'Zurück zum Laden',
};

const said: Words['account']['said'] = {
  'book-mailed':
    'Das Buch ist unterwegs. Bis es auf Ihrem E-Reader erscheint, kann es einige Minuten dauern.',
  'note-sent': 'An den Autor gesendet. Eine Antwort erscheint hier.',
  'news-begun':
    'Neuigkeiten zu dem, was Sie besitzen, kommen von jetzt an per Mail, höchstens einmal am Tag.',
  'news-ended': 'Die Neuigkeiten sind abbestellt. Es kommen höchstens noch Ankündigungen des Verlags.',
  'agent-link-revoked': 'Link widerrufen. Agenten, die ihn noch verwenden, finden dort nichts mehr.',
  'key-revoked': 'Schlüssel widerrufen. Programme, die ihn noch verwenden, werden abgewiesen.',
  'password-changed':
    'Passwort geändert. Alle anderen Sitzungen sind beendet; Ihre API-Schlüssel gelten weiter.',
  'email-asked':
    'Falls die neue Adresse möglich ist, ist ein Link an sie unterwegs. Es ändert sich erst etwas, wenn er innerhalb von 24 Stunden geöffnet wird.',
  'email-changed':
    'Ihre Adresse ist geändert. Alle anderen Sitzungen sind beendet; Ihre API-Schlüssel gelten weiter.',
  'places-kept': 'Von jetzt an wird gemerkt, wo Sie gerade lesen.',
  'places-forgotten': 'Wo Sie gelesen haben, ist vergessen und wird nicht mehr gemerkt.',
  'assistant-ended': 'Getrennt. Der Assistent muss sich neu anmelden.',
  'assistant-saved': 'Gespeichert. Es gilt ab Ihrer nächsten Unterhaltung.',
  'session-ended': 'Sitzung beendet.',
  'sessions-ended': 'Alle anderen Sitzungen sind beendet.',
};

export const account: Words['account'] = {
  yours,
  signIn,
  signInLink,
  secondStep,
  links,
  newEmail,
  requests,
  subscribe,
  news,
  redeem,
  claim,
  demo,
  said,
};
