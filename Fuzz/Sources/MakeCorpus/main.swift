// MakeCorpus FOLDER FIXTURES: writes the corpus, one folder per format; each file is named after
// its damage.
import Glibc

guard CommandLine.arguments.count == 3 else {
    print("usage: MakeCorpus FOLDER FIXTURES")
    exit(2)
}
let corpus = Corpus(folder: CommandLine.arguments[1])
let fixtures = CommandLine.arguments[2]
try corpus.write(JPEGDamage.small(fixtures: fixtures), to: "JPEG")
try corpus.write(JPEGDamage.large(), to: "JPEGFast")
try corpus.write(PNGDamage.files(), to: "PNG")
try corpus.write(EXIFDamage.files(), to: "EXIF")
try corpus.write(ProfileDamage.files, to: "ICC")
try corpus.write(FeedDamage.files, to: "Feeds")
try corpus.write(DocumentDamage.json, to: "JSON")
try corpus.write(DocumentDamage.tables, to: "Tables")
try corpus.write(DocumentDamage.json + DocumentDamage.tables, to: "Feeds")
try corpus.write(SyndicationDamage.files + PageDamage.files, to: "Feeds")
try corpus.write(PageDamage.files, to: "Pages")
try corpus.write(ArchiveDamage.files, to: "Archives")
try corpus.write(MultipartDamage.files, to: "Multipart")
