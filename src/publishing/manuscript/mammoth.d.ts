// The types of mammoth 1.13.0 that the import uses, with `file` and `transforms`, which its own types lack.
declare module 'mammoth' {
  type Paragraph = { readonly styleId: string | null };
  type Picture = { readonly contentType?: string; readonly read: (encoding: 'base64') => Promise<string> };
  type ConvertPicture = (picture: Picture, messages: object) => Promise<readonly object[]>;
  type Converted = { readonly value: string; readonly messages: readonly { readonly message: string }[] };
  /** The parts of a document by name; the encoding is 'utf-8' if text is wanted. */
  type Parts = {
    readonly exists: (name: string) => boolean;
    readonly read: (name: string, encoding?: string) => Promise<string>;
  };
  const mammoth: {
    convertToHtml(
      input: { readonly file: Parts },
      options: { readonly convertImage: ConvertPicture; readonly [option: string]: unknown },
    ): Promise<Converted>;
    readonly images: {
      imgElement(address: (picture: Picture) => Promise<{ readonly src: string }>): ConvertPicture;
    };
    readonly transforms: {
      paragraph(change: (paragraph: Paragraph) => Paragraph): (document: object) => object;
      getDescendantsOfType(
        document: object,
        type: 'noteReference',
      ): readonly { readonly noteType: string; readonly noteId: string }[];
    };
  };
  export default mammoth;
}
