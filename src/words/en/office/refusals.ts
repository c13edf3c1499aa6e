/** The values that a sentence names. */
type Given<Name extends string> = Readonly<Record<Name, string | number>>;

/** Why a form of the office is refused. Programs and commands get the English sentences. */
export const refusals = {
  cannotFindAccountBookstall: ({ email }: Given<'email'>) =>
    `Cannot find an account "${email}": "bookstall account list" shows them all`,
  cannotMakeOwnerAnd: ({ email, owner }: Given<'email' | 'owner'>) =>
    `Cannot make "${email}" the owner: "${owner}" is, and a stall has one`,
  cannotAddHasAccount: ({ email }: Given<'email'>) => `Cannot add "${email}": it has an account already`,
  cannotFindThisAccount: 'Cannot find this account: look for it in the list of accounts',
  cannotMakeYourselfEditor: 'Cannot make yourself an editor: the owner may do all that one may',
  cannotMakeEditorAccount: ({ email }: Given<'email'>) =>
    `Cannot make "${email}" an editor: the account is disabled; enable it first`,
  cannotFindThisEditor: 'Cannot find this editor: reload the page',
  cannotFindItemThis: ({ slug }: Given<'slug'>) =>
    `Cannot find an item "${slug}": this stall never published it; check the slug, and start or reindex the stall after adding it`,
  cannotRevokeThisGrant: 'Cannot revoke this grant: it is revoked already, or never was there',
  cannotGrantWithSource: ({ slug, source }: Given<'slug' | 'source'>) =>
    `Cannot grant "${slug}" with the source "${source}": those of sales, codes and groups follow from these; choose another source`,
  cannotGrantFromUntil: ({ slug, from, until }: Given<'slug' | 'from' | 'until'>) =>
    `Cannot grant "${slug}" from ${from} until ${until}: it must end after it begins`,
  cannotFindGroup: ({ name, remedy }: Given<'name' | 'remedy'>) => `Cannot find a group "${name}": ${remedy}`,
  cannotNameGroupUse: ({ value }: Given<'value'>) =>
    `Cannot name a group "${value}": use 1 to 40 of a-z, 0-9 and "-", as in "reviewers"`,
  cannotAddGroupThere: ({ name }: Given<'name'>) =>
    `Cannot add the group "${name}": there is one of this name`,
  cannotRevokeThatLink: 'Cannot revoke that link: it is used up or revoked already',
  cannotDoWithoutCode: 'Cannot do it without a code of your app: the last one was over 15 minutes ago',
  cannotChangeSecretSign:
    'Cannot change a secret: the last one was over 15 minutes ago; sign out at your proxy, and in again',
  typeYourPasswordSince: 'Type your password, since you signed in over 15 minutes ago',
  typePasswordNeeded: 'Type the password: it is needed with a user',
  typePasswordElsewhere: 'Type the password: it would go to another server, user or encryption',
  noMailByHost: ({ host, fault, said }: Given<'host' | 'fault' | 'said'>) =>
    `Cannot send mail by ${host}: ${fault}. It came back as “${said}”`,
  fileTooLarge: ({ size }: Given<'size'>) => `Cannot take a file of more than ${size}: choose a smaller one`,
  notAPrice: ({ said, code, example }: Given<'said' | 'code' | 'example'>) =>
    `Cannot read "${said}" as a price in ${code}: write it as ${example}`,
  priceTooLong: ({ said }: Given<'said'>) =>
    `Cannot take "${said}" as a price: it may have nine digits, cents included`,
  nothingGivenYet: ({ warning }: Given<'warning'>) =>
    `Nothing was given yet. ${warning}. Tick the box if they may`,
  typeYourPassword: 'Type your password',
  cannotFindNoItem: ({ slug }: Given<'slug'>) =>
    `Cannot find "${slug}": no item of this name was published; "bookstall check" lists the items`,
  cannotFindEditionOf: ({ wanted, slug }: Given<'wanted' | 'slug'>) =>
    `Cannot find the edition "${wanted}" of "${slug}"; "bookstall editions ${slug}" lists them`,
  cannotWithdrawOfServed: ({ named, slug }: Given<'named' | 'slug'>) =>
    `Cannot withdraw ${named} of "${slug}": it is served; roll back to another edition first`,
  cannotDisableHereOwners: ({ email }: Given<'email'>) =>
    `Cannot disable "${email}" here: it is the owner's account; use "bookstall account disable"`,
  cannotFindThisGrant: 'Cannot find this grant: open the account and choose one from its list',
  cannotFindThisKey: 'Cannot find this key: open the account and choose one from its list',
  cannotFindThisLink: 'Cannot find this link: it is used up, expired or revoked; open the list of links',
  cannotChangeWhoAnswers: ({ setBy }: Given<'setBy'>) => `Cannot change who answers here: ${setBy} sets it`,
  typeKeyWouldGo: 'Type the key: it would go to another address, engine or protocol',
  chooseWhoAnswers: 'Choose who answers',
  cannotChangeHereSets: ({ source }: Given<'source'>) => `Cannot change it here: ${source} sets it`,
  thisBackupNotThere: 'This backup is not there any more: choose another',
  cannotChangeBundlesHere: 'Cannot change bundles here: stall.yaml sets them',
  cannotFindThisBundle: 'Cannot find this bundle: reload the page',
  cannotReadThisAs: ({ example }: Given<'example'>) => `Cannot read this as a price: write it as ${example}`,
  cannotUseAnotherBundle: ({ slug }: Given<'slug'>) =>
    `Cannot use "${slug}": another bundle or an item has this slug`,
  cannotSendMailWithout: 'Cannot send mail without a server: give its name',
  cannotReachMailServer: ({ port }: Given<'port'>) =>
    `Cannot reach a mail server at port "${port}": it is 465 or 587 nearly always`,
  cannotSignInWith: 'Cannot sign in with a password alone: give the user too',
  cannotSendMailSet: 'Cannot send mail: set the mail server first',
  cannotFindThisProvider: 'Cannot find this provider: reload the page',
  typeKey: 'Type the key',
  wasChangedSinceYou: ({ now }: Given<'now'>) =>
    `It was changed since you opened this page, and is now “${now}”. Save again to replace that`,
  cannotFindThisSetting: 'Cannot find this setting: reload the page',
  cannotChangeHereStall: ({ label }: Given<'label'>) => `Cannot change ${label} here: stall.yaml sets it`,
  chooseImage: 'Choose an image',
  cannotUseThisFile: 'Cannot use this file as a logo: choose an SVG, PNG, JPEG or WebP image',
  chooseFileOrOne: 'Choose a file, or one to take away',
  cannotUseAsCurrency: ({ currency }: Given<'currency'>) =>
    `Cannot use "${currency}" as a currency: write its code, such as eur`,
  cannotConnectHereSets: ({ source }: Given<'source'>) =>
    `Cannot connect here: ${source} sets the secret of the webhook`,
  cannotSellWithoutPrice: ({ slug }: Given<'slug'>) =>
    `Cannot sell "${slug}" without a price: give it one, and save`,
  cannotSellWhileIts: ({ slug }: Given<'slug'>) => `Cannot sell "${slug}" while its item.yaml has errors`,
  cannotPlaySaleOf: ({ name }: Given<'name'>) => `Cannot play a sale of ${name}: it signs no webhooks`,
  cannotPlaySaleOfConnect: ({ name }: Given<'name'>) =>
    `Cannot play a sale of ${name}: connect a live key first`,
  cannotPlaySaleOfNo: ({ name }: Given<'name'>) =>
    `Cannot play a sale of ${name}: no item is sold there yet; make one in the item’s form`,
  cannotEditHereNo: ({ slug }: Given<'slug'>) =>
    `Cannot edit ${slug} here: no such item was added here or pushed; items of the content directory are edited in their files`,
  cannotUseAsSlug: ({ slug, slugInWords }: Given<'slug' | 'slugInWords'>) =>
    `Cannot use ${slug} as a slug: write ${slugInWords}`,
  cannotAddHereAlready: ({ taken }: Given<'taken'>) =>
    `Cannot add ${taken}: it is here already; open it under "Items" to replace its files, or give another slug`,
  cannotSaveThisItem:
    'Cannot save: this item was changed in the meantime. Look at it, or save again to replace that',
  cannotImportChooseFile: 'Cannot import: choose a file',
  cannotUseAsCover: ({ name }: Given<'name'>) =>
    `Cannot use ${name} as a cover: send a JPEG, PNG or WebP image`,
  cannotAttachChoosePdf: ({ name }: Given<'name'>) =>
    `Cannot attach ${name}: choose a PDF, an EPUB or a recording`,
  cannotAttachItemHas: ({ name }: Given<'name'>) =>
    `Cannot attach ${name}: the item has another file of this name; rename yours`,
  cannotMakeCodesUntil: ({ until }: Given<'until'>) => `Cannot make codes until ${until}: that day is over`,
  cannotFindCodeBookstall: ({ id }: Given<'id'>) =>
    `Cannot find code ${id}: "bookstall code list" shows them all`,
  cannotRevokeCodeWas: ({ id }: Given<'id'>) => `Cannot revoke code ${id}: it was revoked before`,
  cannotMakeSoMany: ({ mostCodes }: Given<'mostCodes'>) =>
    `Cannot make so many codes: give a number from 1 to ${mostCodes}`,
  cannotGiveCodeSo: ({ mostUses }: Given<'mostUses'>) =>
    `Cannot give a code so many uses: give a number from 1 to ${mostUses}`,
  cannotUseThisNote: ({ longestCodeNote }: Given<'longestCodeNote'>) =>
    `Cannot use this note: write one line of at most ${longestCodeNote} characters`,
  cannotReadLastDay: ({ value }: Given<'value'>) =>
    `Cannot read the last day "${value}": write it as 2027-01-31`,
  cannotReadAsNumber: ({ value, name }: Given<'value' | 'name'>) =>
    `Cannot read "${value}" as the number of ${name}: give a whole number from 1`,
  cannotFindThisCode: 'Cannot find this code: open the list of codes',
  cannotFindMailBookstall: ({ id }: Given<'id'>) =>
    `Cannot find mail ${id}: "bookstall mail list" shows them all`,
  cannotSendMailAgain: ({ id }: Given<'id'>) => `Cannot send mail ${id} again: it waits to be sent already`,
  cannotMailLinkThis:
    'Cannot mail a link: this stall sends no mail; create the link and send it yourself, or set BOOKSTALL_SMTP_URL',
  cannotMailAccountDisabled: ({ email }: Given<'email'>) =>
    `Cannot mail "${email}": the account is disabled; enable it first`,
  cannotGrantOrderSay: ({ id }: Given<'id'>) => `Cannot grant order ${id}: say which item was bought`,
  cannotGiveOrderTo: ({ id, email }: Given<'id' | 'email'>) =>
    `Cannot give order ${id} to "${email}": nobody has proven that address yet, so somebody else may have typed it; have a link mailed to it first`,
  cannotFindOrderGive: ({ name }: Given<'name'>) =>
    `Cannot find order "${name}": give its reference, or its ID, the first column of "bookstall orders list"`,
  cannotUseThisReference: 'Cannot use this reference: give 1 to 100 characters of one line',
  cannotFindThisOrder: 'Cannot find this order: open it from the list of orders',
};
