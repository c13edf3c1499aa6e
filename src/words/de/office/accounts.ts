import type { OfficeWords } from '../../office.ts';

export const accounts: OfficeWords['accounts'] = {
  title: 'Konten',
  addTitle: 'Konto anlegen',
  addEmail: 'E-Mail des neuen Kontos',
  addButton: 'Konto anlegen',
  addAndLinkButton: 'Konto und Einladungslink anlegen',
  search: 'Suchen',
  searchLabel: 'Nach E-Mail oder Kontonummer suchen',
  caption: 'Konten mit ihren aktiven Schlüsseln und Zugängen, die neuesten zuerst',
  email: 'E-Mail',
  created: 'Angelegt',
  keys: 'Schlüssel',
  grants: 'Zugänge',
  lastSeen: 'Zuletzt da',
  noAccounts: 'Noch keine Konten. Legen Sie oben eines an.',
  noMatch: 'Kein Konto passt dazu.',
  disabled: 'Gesperrt',
  owner: 'Eigentümer',
  active: 'Aktiv',
  noPasswordYet: 'Noch ohne Passwort',
  subscriberId: 'Kontonummer',
  proven: 'Adresse bestätigt',
  notProven: 'noch nicht',
  openSessions: 'Angemeldete Browser',
  questions: 'Fragen',
  assistants: 'Assistenten',
  disconnectLink: 'Trennen …',
  keysCaption: 'API-Schlüssel dieses Kontos; nur ihr Anfang lässt sich zeigen',
  noKeys: 'Noch keine Schlüssel. Angelegt werden sie im Konto selbst, auf der Seite „Schlüssel“.',
  publishKeys: 'Schlüssel zum Veröffentlichen',
  publishKeysCaption:
    'Schlüssel, mit denen Programme Titel hierher senden, aber keine lesen; „bookstall key create --publish“ legt einen an',
  keyEnds: { revoked: 'widerrufen', expired: 'abgelaufen' },
  for: 'Für',
  everyItem: 'jeden Titel',
  withTerms: ', mit Preisen und Status',
  signIn: 'Anmeldung',
  createLink: { invite: 'Einladungslink anlegen', reset: 'Link für ein neues Passwort anlegen' },
  mailLink: { invite: 'Einladungslink mailen', reset: 'Link für ein neues Passwort mailen' },
  enableButton: 'Konto entsperren',
  newEmailTitle: 'Adresse ändern',
  newEmail: 'Neue E-Mail',
  newEmailButton: 'Link an die neue Adresse anlegen',
  disableLink: 'Konto sperren …',
  disableHint:
    'Schlüssel, Zugänge und Anmeldungen gelten nicht mehr, bis Sie das Konto entsperren. Gelöscht wird nichts.',
  leads: {
    invite: 'Der Link öffnet eine Seite, auf der man ein Passwort wählt. Er gilt einmal.',
    reset:
      'Der Link öffnet eine Seite, auf der man ein neues Passwort wählt. Er gilt einmal und beendet dann alle Anmeldungen.',
    email:
      'Senden Sie ihn nur an die neue Adresse. Dort wird er geöffnet und das Passwort eingegeben. Dann hat das Konto diese Adresse, und alle anderen Anmeldungen enden.',
  },
  linkLead: ({ email }) =>
    `Senden Sie ihn selbst an ${email}, oder lassen Sie auf der Seite des Kontos einen mailen. Er wird nur einmal gezeigt.`,
  linkLeadWithoutMail: ({ email }) =>
    `Senden Sie ihn selbst an ${email}: Der Stand sendet keine Mails und zeigt den Link nur einmal.`,
  backLink: 'Zurück zum Konto',
  purposes: {
    setup: 'Einrichtungslink',
    invite: 'Einladungslink',
    reset: 'Link für ein neues Passwort',
    claim: 'Link zu einer Bestellung',
    open: 'Link zum Anlegen eines Kontos',
    unsubscribe: 'Link zum Abbestellen',
    email: 'Link an eine neue Adresse',
    news: 'Link zum Bestätigen von Neuigkeiten',
    'sign-in': 'Anmeldelink',
  },
  links: 'Links',
  linksLead:
    'Links, die einmal gelten und noch nicht benutzt sind. Widerrufen Sie einen, der an die falsche Adresse ging.',
  linksCaption: 'Offene Links, die neuesten zuerst; ihr geheimer Teil wird nicht gespeichert',
  firstOwner: 'Eigentümer des Stands',
  kind: 'Art',
  expires: 'Gilt bis',
  noLinks: 'Keine offenen Links. Angelegt werden sie auf der Seite eines Kontos.',
  disableTitle: ({ email }) => `${email} sperren?`,
  disableLead: ({ keys, grants }) =>
    `Ab der nächsten Anfrage werden die Schlüssel (${keys}) abgewiesen, und die Zugänge (${grants}) öffnen nichts mehr. Laufende Antworten enden binnen einer Sekunde, alle Anmeldungen enden. Gelöscht wird nichts: Entsperren Sie das Konto, gelten Schlüssel und Zugänge wieder.`,
  disableButton: 'Konto sperren',
  disconnectTitle: ({ email }) => `Assistenten von ${email} trennen?`,
  disconnectLead:
    'Ab der nächsten Anfrage werden die verbundenen Assistenten abgewiesen. Sie lassen sich wieder verbinden.',
  disconnectButton: 'Trennen',
  revokeGrantTitle: ({ slug }) => `Zugang zu „${slug}“ entziehen?`,
  revokeGrantLead: ({ email, slug, source }) =>
    `Ab der nächsten Anfrage kann ${email} „${slug}“ über den Zugang mit der Herkunft „${source}“ nicht mehr installieren, lesen oder befragen. Heruntergeladenes bleibt, und andere Zugänge zu diesem Titel gelten weiter. Geben Sie den Zugang neu, ist alles wie zuvor.`,
  revokeGrantButton: 'Zugang entziehen',
  revokeLinkTitle: ({ purpose, email }) => `${purpose} für ${email} widerrufen?`,
  revokeLinkLead:
    'Wer den Link von jetzt an öffnet, erfährt, dass er nicht mehr gilt. Das Konto bleibt, wie es ist, und auf seiner Seite können Sie einen neuen Link anlegen.',
  revokeLinkButton: 'Link widerrufen',
};

export const devices: OfficeWords['devices'] = {
  nameByPrefix: ({ prefix }) => `E-Reader ${prefix}…`,
  endTitle: ({ device }) => `Schlüssel von ${device} beenden?`,
  endLead: ({ email }) =>
    `Ab der nächsten Anfrage merkt sich dieser E-Reader nicht mehr, wo ${email} in den Büchern ist. Ein neuer Schlüssel lässt sich jederzeit anlegen.`,
  endButton: 'Schlüssel beenden',
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
    `Jedes Konto, das nicht gesperrt ist, gehört dazu, auch spätere: zurzeit ${count}. Wer sein Konto selbst angelegt hat, zählt, sobald die Adresse bestätigt ist.`,
  allLink: 'Alle Gruppen',
  giveTitle: 'Titel geben',
  givePrivate: 'Auch nicht öffentliche Titel geben; dann hat sie jeder, der hier ein Konto anlegen kann',
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
  removeLead: ({ losers }) => `Ab der nächsten Anfrage verlieren, was die Gruppe gibt: ${losers}.`,
  removeButton: 'Gruppe löschen',
  takeOutTitle: ({ email, name }) => `${email} aus „${name}“ nehmen?`,
  takeOutLead: ({ email, name }) =>
    `Ab der nächsten Anfrage hat ${email} nicht mehr, was „${name}“ gibt. Heruntergeladenes bleibt.`,
  takeOutButton: 'Herausnehmen',
  takeBackTitle: ({ slug, name }) => `„${slug}“ der Gruppe „${name}“ entziehen?`,
  takeBackLead: ({ name, slug }) =>
    `Ab der nächsten Anfrage haben die Mitglieder von „${name}“ durch sie „${slug}“ nicht mehr. Andere Zugänge zu diesem Titel gelten weiter.`,
  takeBackButton: 'Entziehen',
};

export const grants: OfficeWords['grants'] = {
  caption: 'Zugänge dieses Kontos',
  source: 'Herkunft',
  granted: 'Gegeben',
  from: 'Ab',
  groupLink: 'Über die Gruppe',
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
  fromHint: 'Leer lassen für: ab sofort',
  untilHint: 'Endet, wenn dieser Tag beginnt, in UTC. Leer lassen für: unbegrenzt',
  grantTitle: 'Zugang geben',
  sourceHint:
    'Woher der Zugang kommt, zum Beispiel eine Bestellnummer. Geben Sie denselben Titel mit derselben Herkunft noch einmal, ändern sich nur die Daten',
  grantButton: 'Zugang geben',
};

export const keys: OfficeWords['keys'] = {
  ereaders: 'E-Reader',
  ereadersCaption: 'Schlüssel, mit denen E-Reader die Lesestelle in den Büchern dieses Kontos merken',
  endLink: 'Beenden …',
};

export const proof: OfficeWords['proof'] = {
  passwordHint: 'Ihre Anmeldung ist über 15 Minuten her',
  proxyHint: 'Ihre Anmeldung ist über 15 Minuten her: Melden Sie sich an Ihrem Proxy ab und wieder an.',
  secondStepHint: 'Aus Ihrem zweiten Schritt',
  password: 'Ihr Passwort',
};

export const secondStep: OfficeWords['secondStep'] = {
  title: 'Zweiter Schritt',
  lead: 'Nach dem Passwort geben Sie einen Code aus einer App auf Ihrem Telefon ein: Ein gestohlenes Passwort allein öffnet dann nichts. Jede Änderung meldet Ihre anderen Browser ab. Schlüssel und Agenten arbeiten weiter wie bisher.',
  firstCodeHint: 'Sechs Ziffern aus der App',
  codeHint: 'Aus der App, oder ein Ersatzcode',
  state: ({ when, left }) => ['Eingeschaltet seit ', when, '. Verbleibende Ersatzcodes: ', left, '.'],
  password: 'Passwort',
  onButton: 'Einschalten',
  renewButton: 'Neue Ersatzcodes anlegen',
  offButton: 'Ausschalten',
  qrLead: ({ link }) => [
    'Lesen Sie dieses Bild mit der App ein, oder ',
    link('öffnen Sie es auf diesem Gerät'),
    '.',
  ],
  qrCode: 'QR-Code',
  secretLabel: 'Oder geben Sie dort dieses Geheimnis ein',
  codesLead:
    'Jeder ersetzt nach dem Passwort einmal das Telefon. Sie werden nur jetzt gezeigt: Bewahren Sie sie bei Ihren Passwörtern auf, oder drucken Sie sie aus.',
  codesTitle: 'Ihre Ersatzcodes',
  codesButton: 'Ich habe sie aufbewahrt',
};
