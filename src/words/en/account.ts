/** The words of the page after paying, in its order; the mail about it says the same. */
export const yours = {
  title: 'It is yours',
  read: 'Read now',
  epub: 'Download EPUB',
  zip: 'Download as zip',
  agent: 'In your agent',
};

/** The ways to an account and to purchases: sign-in, links from mails, claim, codes. */
export const account = {
  yours,
};
