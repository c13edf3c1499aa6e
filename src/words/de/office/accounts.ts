import type { OfficeWords } from '../../office.ts';

export const accounts: OfficeWords['accounts'] = {
  accounts: 'Konten',
  addAnAccount: 'Konto anlegen',
  emailOfANew: 'E-Mail des neuen Kontos',
  addAccount: 'Konto anlegen',
  addAccountAndCreate: 'Konto und Einladungslink anlegen',
  search: 'Suchen',
  searchByEmailOr: 'Nach E-Mail oder Kontonummer suchen',
  accountsWithTheirActive: 'Konten mit ihren aktiven Schlüsseln und Zugängen, die neuesten zuerst',
  email: 'E-Mail',
  created: 'Angelegt',
  keys: 'Schlüssel',
  grants: 'Zugänge',
  lastSeen: 'Zuletzt da',
  noAccountsHereAdd: 'Noch keine Konten. Legen Sie oben eines an.',
  noAccountsMatch: 'Kein Konto passt dazu.',
  disabled: 'Gesperrt',
  owner: 'Eigentümer',
  active: 'Aktiv',
  noPasswordYet: 'Noch ohne Passwort',
  subscriberId: 'Kontonummer',
  addressProven: 'Adresse bestätigt',
  notYet: 'noch nicht',
  openSessions: 'Angemeldete Browser',
  questions: 'Fragen',
  assistants: 'Assistenten',
  disconnect: 'Trennen …',
  apiKeysOfThis: 'API-Schlüssel dieses Kontos; nur ihr Anfang lässt sich zeigen',
  noKeysYetReaders: 'Noch keine Schlüssel. Angelegt werden sie im Konto selbst, auf der Seite „Schlüssel“.',
  publishKeys: 'Schlüssel zum Veröffentlichen',
  keysThatPushItems:
    'Schlüssel, mit denen Programme Titel hierher senden, aber keine lesen; „bookstall key create --publish“ legt einen an',
  keyEnds: { revoked: 'widerrufen', expired: 'abgelaufen' },
  for: 'Für',
  everyItem: 'jeden Titel',
  withPricesAndStatus: ', mit Preisen und Status',
  signin: 'Anmeldung',
  createLink: { invite: 'Einladungslink anlegen', reset: 'Link für ein neues Passwort anlegen' },
  mailLink: { invite: 'Einladungslink mailen', reset: 'Link für ein neues Passwort mailen' },
  enableAccount: 'Konto entsperren',
  changeTheAddress: 'Adresse ändern',
  newEmail: 'Neue E-Mail',
  createLinkToThe: 'Link an die neue Adresse anlegen',
  disableAccount: 'Konto sperren …',
  itsKeysGrantsAnd:
    'Schlüssel, Zugänge und Anmeldungen gelten nicht mehr, bis Sie das Konto entsperren. Gelöscht wird nichts.',
  leads: {
    invite: 'Der Link öffnet eine Seite, auf der man ein Passwort wählt. Er gilt einmal.',
    reset:
      'Der Link öffnet eine Seite, auf der man ein neues Passwort wählt. Er gilt einmal und beendet dann alle Anmeldungen.',
    email:
      'Senden Sie ihn nur an die neue Adresse. Dort wird er geöffnet und das Passwort eingegeben. Dann hat das Konto diese Adresse, und alle anderen Anmeldungen enden.',
  },
  sendItToYourself: ({ email }) =>
    `Senden Sie ihn selbst an ${email}, oder lassen Sie auf der Seite des Kontos einen mailen. Er wird nur einmal gezeigt.`,
  sendItToYourselfThe: ({ email }) =>
    `Senden Sie ihn selbst an ${email}: Der Stand sendet keine Mails und zeigt den Link nur einmal.`,
  backToTheAccount: 'Zurück zum Konto',
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
  onetimeLinksThatCan:
    'Links, die einmal gelten und noch nicht benutzt sind. Widerrufen Sie einen, der an die falsche Adresse ging.',
  openLinksNewestFirst: 'Offene Links, die neuesten zuerst; ihr geheimer Teil wird nicht gespeichert',
  theFirstOwner: 'Eigentümer des Stands',
  kind: 'Art',
  expires: 'Gilt bis',
  noOpenLinksAn: 'Keine offenen Links. Angelegt werden sie auf der Seite eines Kontos.',
  disable: ({ email }) => `${email} sperren?`,
  fromTheNextRequest: ({ keys, grants }) =>
    `Ab der nächsten Anfrage werden die Schlüssel (${keys}) abgewiesen, und die Zugänge (${grants}) öffnen nichts mehr. Laufende Antworten enden binnen einer Sekunde, alle Anmeldungen enden. Gelöscht wird nichts: Entsperren Sie das Konto, gelten Schlüssel und Zugänge wieder.`,
  disableAccount2: 'Konto sperren',
  disconnectTheAssistants: ({ email }) => `Assistenten von ${email} trennen?`,
  fromTheNextRequestOn:
    'Ab der nächsten Anfrage werden die verbundenen Assistenten abgewiesen. Sie lassen sich wieder verbinden.',
  disconnect2: 'Trennen',
  revoke: ({ slug }) => `Zugang zu „${slug}“ entziehen?`,
  fromTheNextRequestOnCan: ({ email, slug, source }) =>
    `Ab der nächsten Anfrage kann ${email} „${slug}“ über den Zugang mit der Herkunft „${source}“ nicht mehr installieren, lesen oder befragen. Heruntergeladenes bleibt, und andere Zugänge zu diesem Titel gelten weiter. Geben Sie den Zugang neu, ist alles wie zuvor.`,
  revokeGrant: 'Zugang entziehen',
  revokeTheFor: ({ purpose, email }) => `${purpose} für ${email} widerrufen?`,
  whoeverOpensTheLink:
    'Wer den Link von jetzt an öffnet, erfährt, dass er nicht mehr gilt. Das Konto bleibt, wie es ist, und auf seiner Seite können Sie einen neuen Link anlegen.',
  revokeLink: 'Link widerrufen',
};

export const devices: OfficeWords['devices'] = {
  theEreader: ({ prefix }) => `E-Reader ${prefix}…`,
  endTheKeyOf: ({ device }) => `Schlüssel von ${device} beenden?`,
  fromTheNextRequest: ({ email }) =>
    `Ab der nächsten Anfrage merkt sich dieser E-Reader nicht mehr, wo ${email} in den Büchern ist. Ein neuer Schlüssel lässt sich jederzeit anlegen.`,
  endKey: 'Schlüssel beenden',
};

export const groups: OfficeWords['groups'] = {
  groups: 'Gruppen',
  whatAGroupIs: 'Was eine Gruppe bekommt, hat jedes Mitglied, solange es dazugehört.',
  addAGroup: 'Gruppe anlegen',
  name: 'Name',
  smallLettersDigitsAnd: 'Kleinbuchstaben, Ziffern und „-“, zum Beispiel rezensenten',
  addGroup: 'Gruppe anlegen',
  members: 'Mitglieder',
  everyEnabledAccountIs: ({ count }) =>
    `Jedes Konto, das nicht gesperrt ist, gehört dazu, auch spätere: zurzeit ${count}. Wer sein Konto selbst angelegt hat, zählt, sobald die Adresse bestätigt ist.`,
  allGroups: 'Alle Gruppen',
  giveAnItem: 'Titel geben',
  givePrivateItemsToo:
    'Auch nicht öffentliche Titel geben; dann hat sie jeder, der hier ein Konto anlegen kann',
  giveItem: 'Titel geben',
  itemsOf: ({ name }) => `Titel von ${name}`,
  given: 'Gegeben',
  from: 'Ab',
  takeBack: 'Entziehen …',
  noItemsYetWhat: 'Noch keine Titel. Was Sie hier geben, hat jedes Mitglied.',
  addMembers: 'Mitglieder aufnehmen',
  emailAddressesOfAccounts: 'E-Mail-Adressen von Konten',
  oneALineOr: 'Eine je Zeile, oder durch Leerzeichen getrennt',
  membersOf: ({ name }) => `Mitglieder von ${name}`,
  email: 'E-Mail',
  joined: 'Seit',
  takeOut: 'Herausnehmen …',
  noMembersYet: 'Noch keine Mitglieder.',
  removeThisGroup: 'Gruppe löschen …',
  itsMembersLoseWhat: 'Die Mitglieder verlieren, was die Gruppe gibt; die nächste Seite nennt sie.',
  removeTheGroup: ({ name }) => `Gruppe „${name}“ löschen?`,
  nobodyLosesAnythingBy: 'Niemand verliert dadurch etwas.',
  fromTheNextRequest: ({ losers }) => `Ab der nächsten Anfrage verlieren, was die Gruppe gibt: ${losers}.`,
  removeGroup: 'Gruppe löschen',
  takeOutOf: ({ email, name }) => `${email} aus „${name}“ nehmen?`,
  fromTheNextRequestOn: ({ email, name }) =>
    `Ab der nächsten Anfrage hat ${email} nicht mehr, was „${name}“ gibt. Heruntergeladenes bleibt.`,
  takeOut2: 'Herausnehmen',
  takeBackFrom: ({ slug, name }) => `„${slug}“ der Gruppe „${name}“ entziehen?`,
  fromTheNextRequestOnMembers: ({ name, slug }) =>
    `Ab der nächsten Anfrage haben die Mitglieder von „${name}“ durch sie „${slug}“ nicht mehr. Andere Zugänge zu diesem Titel gelten weiter.`,
  takeBack2: 'Entziehen',
};

export const grants: OfficeWords['grants'] = {
  grantsOfThisAccount: 'Zugänge dieses Kontos',
  source: 'Herkunft',
  granted: 'Gegeben',
  from: 'Ab',
  byItsGroup: 'Über die Gruppe',
  takeAway: 'Entziehen …',
  noGrantsYetGrant: 'Noch keine Zugänge. „Zugang geben“ stellt einen Titel in die Bibliothek dieses Kontos.',
  states: {
    active: 'gültig',
    inactive: 'ruht (Konto gesperrt)',
    waits: 'wartet, bis die Adresse bestätigt ist',
    notStarted: 'noch nicht begonnen',
    expired: 'abgelaufen',
    revoked: 'entzogen',
  },
  itsSlugTheLast: 'Sein Kurzname: der letzte Teil der Adresse seiner Seite',
  leaveEmptyToStart: 'Leer lassen für: ab sofort',
  endsWhenThisDay: 'Endet, wenn dieser Tag beginnt, in UTC. Leer lassen für: unbegrenzt',
  grantAnItem: 'Zugang geben',
  whereItCameFrom:
    'Woher der Zugang kommt, zum Beispiel eine Bestellnummer. Geben Sie denselben Titel mit derselben Herkunft noch einmal, ändern sich nur die Daten',
  grantItem: 'Zugang geben',
};

export const keys: OfficeWords['keys'] = {
  ereaders: 'E-Reader',
  keysByWhichEreaders: 'Schlüssel, mit denen E-Reader die Lesestelle in den Büchern dieses Kontos merken',
  end: 'Beenden …',
};

export const proof: OfficeWords['proof'] = {
  signedInLongAgo: 'Ihre Anmeldung ist über 15 Minuten her',
  signOutAtYour: 'Ihre Anmeldung ist über 15 Minuten her: Melden Sie sich an Ihrem Proxy ab und wieder an.',
  ofYourSecondStep: 'Aus Ihrem zweiten Schritt',
  yourPassword: 'Ihr Passwort',
};

export const secondStep: OfficeWords['secondStep'] = {
  secondStep: 'Zweiter Schritt',
  afterYourPasswordYou:
    'Nach dem Passwort geben Sie einen Code aus einer App auf Ihrem Telefon ein: Ein gestohlenes Passwort allein öffnet dann nichts. Jede Änderung meldet Ihre anderen Browser ab. Schlüssel und Agenten arbeiten weiter wie bisher.',
  sixDigitsFromThe: 'Sechs Ziffern aus der App',
  fromTheAppOr: 'Aus der App, oder ein Ersatzcode',
  onSinceRecoveryCodes: ({ when, left }) => [
    'Eingeschaltet seit ',
    when,
    '. Verbleibende Ersatzcodes: ',
    left,
    '.',
  ],
  password: 'Passwort',
  turnItOn: 'Einschalten',
  makeNewRecoveryCodes: 'Neue Ersatzcodes anlegen',
  turnItOff: 'Ausschalten',
  readThisPictureWith: ({ link }) => [
    'Lesen Sie dieses Bild mit der App ein, oder ',
    link('öffnen Sie es auf diesem Gerät'),
    '.',
  ],
  qrCode: 'QR-Code',
  orTypeThisSecret: 'Oder geben Sie dort dieses Geheimnis ein',
  eachSignsYouIn:
    'Jeder ersetzt nach dem Passwort einmal das Telefon. Sie werden nur jetzt gezeigt: Bewahren Sie sie bei Ihren Passwörtern auf, oder drucken Sie sie aus.',
  yourRecoveryCodes: 'Ihre Ersatzcodes',
  iHaveKeptThem: 'Ich habe sie aufbewahrt',
};
