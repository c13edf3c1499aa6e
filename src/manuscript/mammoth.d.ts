// Version 1.13.0 without the parts that the import does not use, and with `file` and `transforms`, which its own types lack.
declare module 'mammoth' {
  type Paragraph = { readonly styleId: string | null };
  type Picture = {
    readonly contentType: string | undefined;
    readonly read: (encoding: 'base64') => Promise<string>;
  };
  type ConvertPicture = (picture: Picture, messages: unknown) => Promise<readonly object[]>;
  type Options = {
    readonly styleMap: readonly string[];
    readonly includeEmbeddedStyleMap: boolean;
    readonly idPrefix: string;
    readonly convertImage: ConvertPicture;
    readonly transformDocument: (document: object) => object;
  };
  /** The parts of a document by name; it asks for text as 'utf-8', and for nothing that is not in the document. */
  type Parts = {
    readonly exists: (name: string) => boolean;
    readonly read: (name: string, encoding: string | undefined) => Promise<string>;
  };
  const mammoth: {
    readonly convertToHtml: (
      input: { readonly file: Parts },
      options: Options,
    ) => Promise<{ readonly value: string; readonly messages: readonly { readonly message: string }[] }>;
    readonly images: {
      readonly imgElement: (
        address: (picture: Picture) => Promise<{ readonly src: string }>,
      ) => ConvertPicture;
    };
    readonly transforms: {
      readonly paragraph: (change: (paragraph: Paragraph) => Paragraph) => Options['transformDocument'];
    };
  };
  export default mammoth;
}
