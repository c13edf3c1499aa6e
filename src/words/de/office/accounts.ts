import type { OfficeWords } from '../../office.ts';

export const accounts: OfficeWords['accounts'] = {
  title: 'Konten',
  addTitle: 'Konto anlegen',
  addEmail: 'E-Mail des neuen Kontos',
  addButton: 'Konto anlegen',
  addAndLinkButton: 'Konto und Einladungslink anlegen',
  search: 'Suchen',
  searchLabel: 'Nach E-Mail oder Kundennummer suchen',
  caption: 'Konten mit ihren aktiven Schlüsseln und gültigen Zugängen, die neuesten zuerst',
  email: 'E-Mail',
  created: 'Angelegt',
  keys: 'Schlüssel',
  grants: 'Zugänge',
  lastSeen: 'Zuletzt aktiv',
  noAccounts: 'Noch keine Konten. Legen Sie oben eines an.',
  noMatch: 'Kein Konto passt zu dieser Suche.',
  disabled: 'Gesperrt',
  owner: 'Eigentümer',
  active: 'Aktiv',
  noPasswordYet: 'Noch ohne Passwort',
  subscriberId: 'Kundennummer',
  proven: 'Adresse bestätigt',
  notProven: 'noch nicht',
  openSessions: 'Angemeldete Browser',
  questions: 'Fragen',
  assistants: 'Assistenten',
  disconnectLink: 'Trennen …',
  keysCaption: 'API-Schlüssel dieses Kontos; nur ihr Anfang lässt sich zeigen',
  noKeys: 'Noch keine Schlüssel. Wer das Konto nutzt, legt sie selbst an, auf der eigenen Seite „Schlüssel“.',
  publishKeys: 'Schlüssel zum Veröffentlichen',
  publishKeysCaption:
    'Schlüssel, mit denen Programme Titel hierher senden, aber nicht lesen können; „bookstall key create --publish“ legt einen an',
  keyEnds: { revoked: 'widerrufen', expired: 'abgelaufen' },
  for: 'Für',
  everyItem: 'jeden Titel',
  withTerms: ', mit Preisen und Status',
  signIn: 'Anmeldung',
  createLink: { invite: 'Einladungslink anlegen', reset: 'Link für ein neues Passwort anlegen' },
  mailLink: { invite: 'Einladungslink mailen', reset: 'Link für ein neues Passwort mailen' },
  enableButton: 'Konto entsperren',
  newEmailTitle: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  newEmailButton: 'Link für die neue Adresse anlegen',
  disableLink: 'Konto sperren …',
  disableHint:
    'Schlüssel, Zugänge und Anmeldungen gelten nicht mehr, bis Sie das Konto entsperren. Gelöscht wird nichts.',
  leads: {
    invite: 'Der Link öffnet eine Seite, auf der man ein Passwort wählt. Er gilt einmal.',
    reset:
      'Der Link öffnet eine Seite, auf der man ein neues Passwort wählt. Er gilt einmal und beendet dann alle Anmeldungen.',
    email:
      'Senden Sie ihn nur an die neue Adresse. Wer ihn öffnet und das Passwort des Kontos eingibt, gibt dem Konto damit diese Adresse; alle anderen Anmeldungen enden.',
  },
  linkLead: ({ email }) =>
    `Er wird nur einmal gezeigt: Senden Sie ihn selbst an ${email}, oder lassen Sie auf der Seite des Kontos einen mailen.`,
  linkLeadWithoutMail: ({ email }) =>
    `Senden Sie ihn selbst an ${email}: Der Stand sendet keine Mails und zeigt den Link nur einmal.`,
  backLink: 'Zurück zum Konto',
  purposes: {
    setup: 'Einrichtungslink',
    invite: 'Einladungslink',
    reset: 'Link für ein neues Passwort',
    claim: 'Link zu einem Kauf',
    open: 'Link zum Anlegen eines Kontos',
    unsubscribe: 'Link zum Abbestellen der Neuigkeiten',
    email: 'Bestätigungslink für eine neue Adresse',
    news: 'Bestätigungslink für Neuigkeiten',
    'sign-in': 'Anmeldelink',
  },
  links: 'Links',
  linksLead:
    'Links, die einmal gelten und noch nicht benutzt sind. Ging einer an die falsche Adresse, widerrufen Sie ihn.',
  linksCaption: 'Offene Links, die neuesten zuerst; ihr geheimer Teil wird nicht gespeichert',
  firstOwner: 'den ersten Eigentümer',
  kind: 'Art',
  expires: 'Gültig bis',
  noLinks: 'Keine offenen Links. Angelegt werden sie auf der Seite eines Kontos.',
  disableTitle: ({ email }) => `${email} sperren?`,
  disableLead: ({ keys, grants }) =>
    `Die Schlüssel (${keys}) werden dann sofort abgewiesen, und die Zugänge (${grants}) öffnen nichts mehr. Laufende Antworten brechen binnen einer Sekunde ab, und alle Anmeldungen enden. Gelöscht wird nichts: Entsperren Sie das Konto, gelten Schlüssel und Zugänge wieder.`,
  disableButton: 'Konto sperren',
  disconnectTitle: ({ email }) => `Assistenten von ${email} trennen?`,
  disconnectLead:
    'Die verbundenen Assistenten werden dann sofort abgewiesen. Sie lassen sich wieder verbinden.',
  disconnectButton: 'Trennen',
  revokeGrantTitle: ({ slug }) => `Zugang zu „${slug}“ entziehen?`,
  revokeGrantLead: ({ email, slug, source }) =>
    `${email} kann „${slug}“ dann über den Zugang mit der Herkunft „${source}“ nicht mehr installieren, lesen oder befragen. Heruntergeladenes bleibt, und andere Zugänge zu diesem Titel gelten weiter. Geben Sie den Zugang erneut, ist alles wie zuvor.`,
  revokeGrantButton: 'Zugang entziehen',
  revokeLinkTitle: ({ purpose, email }) => `${purpose} an ${email} widerrufen?`,
  revokeLinkLead:
    'Wer den Link danach öffnet, erfährt, dass er nicht mehr gilt. Das Konto bleibt, wie es ist, und auf seiner Seite können Sie einen neuen Link anlegen.',
  revokeLinkButton: 'Link widerrufen',
};

export const devices: OfficeWords['devices'] = {
  nameByPrefix: ({ prefix }) => `den E-Reader ${prefix}…`,
  endTitle: ({ device }) => `Schlüssel für ${device} widerrufen?`,
  endLead: ({ email }) =>
    `Dieser E-Reader gleicht die Lesestellen von ${email} dann nicht mehr ab. Ein neuer Schlüssel lässt sich jederzeit anlegen.`,
  endButton: 'Schlüssel widerrufen',
};

export const groups: OfficeWords['groups'] = {
  title: 'Gruppen',
  lead: 'Was eine Gruppe bekommt, hat jedes Mitglied, solange es dazugehört.',
  addTitle: 'Gruppe anlegen',
  name: 'Name',
  nameHint: 'Kleinbuchstaben, Ziffern und „-“, zum Beispiel rezensenten',
  addButton: 'Gruppe anlegen',
  members: 'Mitglieder',
  everyoneLead: ({ count }) =>
    `Jedes Konto, das nicht gesperrt ist, gehört dazu, auch jedes künftige: zurzeit ${count}. Wer sein Konto selbst angelegt hat, zählt, sobald die Adresse bestätigt ist.`,
  allLink: 'Alle Gruppen',
  giveTitle: 'Titel geben',
  givePrivate:
    'Auch Titel geben, die nicht öffentlich sind: Jeder, der hier ein Konto anlegen kann, hat sie dann',
  giveButton: 'Titel geben',
  itemsCaption: ({ name }) => `Titel von ${name}`,
  given: 'Gegeben',
  from: 'Ab',
  takeBackLink: 'Entziehen …',
  noItems: 'Noch keine Titel. Was Sie hier geben, hat jedes Mitglied.',
  addMembersButton: 'Mitglieder aufnehmen',
  addMembersEmails: 'E-Mail-Adressen von Konten',
  addMembersHint: 'Eine je Zeile, oder durch Leerzeichen getrennt',
  membersCaption: ({ name }) => `Mitglieder von ${name}`,
  email: 'E-Mail',
  joined: 'Seit',
  takeOutLink: 'Herausnehmen …',
  noMembers: 'Noch keine Mitglieder.',
  removeLink: 'Gruppe löschen …',
  removeHint: 'Die Mitglieder verlieren, was die Gruppe gibt; die nächste Seite nennt sie.',
  removeTitle: ({ name }) => `Gruppe „${name}“ löschen?`,
  removeLeadIfNobody: 'Niemand verliert dadurch etwas.',
  removeLead: ({ losers }) => `Diese Konten verlieren dann sofort, was die Gruppe gibt: ${losers}.`,
  removeButton: 'Gruppe löschen',
  takeOutTitle: ({ email, name }) => `${email} aus „${name}“ herausnehmen?`,
  takeOutLead: ({ email, name }) =>
    `Was „${name}“ gibt, hat ${email} dann nicht mehr. Heruntergeladenes bleibt.`,
  takeOutButton: 'Herausnehmen',
  takeBackTitle: ({ slug, name }) => `„${slug}“ der Gruppe „${name}“ entziehen?`,
  takeBackLead: ({ name, slug }) =>
    `Die Mitglieder von „${name}“ haben den Titel „${slug}“ dann nicht mehr über diese Gruppe. Andere Zugänge zu diesem Titel gelten weiter.`,
  takeBackButton: 'Entziehen',
};

export const grants: OfficeWords['grants'] = {
  caption: 'Zugänge dieses Kontos',
  source: 'Herkunft',
  granted: 'Gegeben',
  from: 'Ab',
  groupLink: 'Zur Gruppe',
  revokeLink: 'Entziehen …',
  noGrants: 'Noch keine Zugänge. „Zugang geben“ stellt einen Titel in die Bibliothek dieses Kontos.',
  states: {
    active: 'gültig',
    inactive: 'ruht (Konto gesperrt)',
    waits: 'wartet, bis die Adresse bestätigt ist',
    notStarted: 'noch nicht begonnen',
    expired: 'abgelaufen',
    revoked: 'entzogen',
  },
  slugHint: 'Sein Kurzname: der letzte Teil der Adresse seiner Seite',
  fromHint: 'Leer: ab sofort',
  untilHint: 'Der Zugang endet, wenn dieser Tag beginnt, in UTC. Leer: unbegrenzt',
  grantTitle: 'Zugang geben',
  sourceHint:
    'Woher der Zugang kommt, zum Beispiel eine Bestellnummer. Geben Sie denselben Titel mit derselben Herkunft noch einmal, ändern sich nur Beginn und Ende',
  grantButton: 'Zugang geben',
};

export const keys: OfficeWords['keys'] = {
  ereaders: 'E-Reader',
  ereadersCaption: 'Schlüssel, mit denen E-Reader die Lesestellen dieses Kontos abgleichen',
  endLink: 'Widerrufen …',
};

export const proof: OfficeWords['proof'] = {
  passwordHint: 'Ihre Anmeldung ist über 15 Minuten her',
  proxyHint: 'Ihre Anmeldung ist über 15 Minuten her: Melden Sie sich an Ihrem Proxy ab und wieder an.',
  secondStepHint: 'Aus der App Ihres zweiten Schritts',
  password: 'Ihr Passwort',
};

export const secondStep: OfficeWords['secondStep'] = {
  title: 'Zweiter Schritt',
  lead: 'Nach dem Passwort geben Sie einen Code aus einer App auf Ihrem Telefon ein: Ein gestohlenes Passwort allein öffnet dann nichts. Jede Änderung hier meldet Sie in allen anderen Browsern ab. Schlüssel gelten weiter, auch für Ihre Agenten.',
  firstCodeHint: 'Sechs Ziffern aus der App',
  codeHint: 'Aus der App, oder ein Ersatzcode',
  state: ({ when, left }) => ['Eingeschaltet seit dem ', when, '. Verbleibende Ersatzcodes: ', left, '.'],
  password: 'Passwort',
  onButton: 'Einschalten',
  renewButton: 'Neue Ersatzcodes anlegen',
  offButton: 'Ausschalten',
  qrLead: ({ link }) => [
    'Scannen Sie diesen QR-Code mit der App, oder ',
    link('öffnen Sie ihn auf diesem Gerät'),
    '.',
  ],
  qrCode: 'QR-Code',
  secretLabel: 'Oder geben Sie dort diesen Einrichtungsschlüssel ein',
  codesLead:
    'Jeder ersetzt einmal den Code vom Telefon. Sie werden nur jetzt gezeigt: Bewahren Sie sie bei Ihren Passwörtern auf, oder drucken Sie sie aus.',
  codesTitle: 'Ihre Ersatzcodes',
  codesButton: 'Ich habe sie sicher verwahrt',
};
