"""Documents of clients and banks: tables as CSV, notes as text, letters, statements and deeds as PDF.

The functions are pure and use neither files nor a clock: equal input gives equal bytes.

- `tables` (`TextTable`, `records`, `canonical_header` with the synonyms of `header_synonyms.yaml`);
- `csv_files` (`csv_bytes`, `text_bytes`, `CsvStyle`, `read_table`);
- `amounts` (`money_text`, `parse_money`, `parse_percent`), `dates` (`date_text`, `parse_date`);
- `pdf_document` (`PdfDocument`, its blocks, `statement`), `pdf` (`pdf_bytes`, `pdf_text`);
- `perturbing` (the same content in another format).

Readers raise only `errors.DocumentError`, a ValueError, take time linear in the size of the input, and accept at most
`errors.MAX_BYTES`. PDFs have a text layer in reading order, with each table row on one line.
(`pdftotext` needs ``-layout`` or ``-raw`` for this; by default it reads tables column by column.)

Not supported: spreadsheets; in PDFs forms, pictures, fonts other than Helvetica and characters outside Windows-1252;
CSV encodings other than UTF-8; and reading PDFs of other programs.
"""
