"""Documents that clients and banks send: tables as CSV, notes as text, letters, statements and deeds as PDF.

Pure functions, without files and without a clock: equal input gives equal bytes.

- `tables` (`Table`, `records`), `writing` (`csv_bytes`, `text_bytes`, `CsvStyle`), `reading` (`read_table`);
- `amounts` (`money_text`, `parse_money`, `parse_percent`), `dates` (`date_text`, `parse_date`), `headers`
  (`normal_header`, `canonical_header` with the synonyms of `header_synonyms.yaml`);
- `pdf_document` (what a PDF says: `PdfDocument`, its blocks, `letter`, `statement`), `pdf_writing` (`pdf_bytes`),
  `pdf_reading` (`pdf_text`);
- `perturbing` (the same content as another office would send it), `reshaping` (wide and long, in parts and joined).

Whatever is read, nothing is raised but `errors.DocumentError`, a ValueError, and the time is linear in what is read;
more than `errors.MAX_BYTES` is not read. PDFs have a text layer that every reader opens, in reading order, a table's
row as one line. (`pdftotext` needs ``-layout`` or ``-raw`` for this; by itself it reads tables column by column.)

Left out: spreadsheets, forms, pictures and fonts other than Helvetica in PDFs, characters outside Windows-1252 in PDFs,
encodings other than UTF-8 in CSV, PDFs that others wrote.
"""
