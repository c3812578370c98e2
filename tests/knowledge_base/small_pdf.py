"""Write small PDF files for tests."""


def write_pdf(path, pages, outline=(), encrypted=False):
    """Write a PDF in Helvetica.

    `pages` has a list of lines for each page, each (size, text) or, in bold, (size, text, True); `outline` has (title, page) for each bookmark.
    """
    objects = {1: "", 2: "", 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
    kids = []
    for lines in pages:
        page, content = len(objects) + 1, len(objects) + 2
        kids.append(page)
        text, height = "", 780
        for size, line, *is_bold in lines:
            height -= 1.5 * size
            escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            text += f"BT /{'F2' if is_bold else 'F1'} {size} Tf 60 {height} Td ({escaped}) Tj ET\n"
        bold = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"
        font = f"/Resources << /Font << /F1 3 0 R /F2 {bold} >> >>"
        objects[page] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] {font} /Contents {content} 0 R >>"
        )
        objects[content] = f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>"
    root = len(objects) + 1
    if outline:
        first = root + 1
        last = root + len(outline)
        objects[root] = f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(outline)} >>"
        for place, (title, page) in enumerate(outline):
            after = f"/Next {first + place + 1} 0 R" if first + place < last else ""
            before = f"/Prev {first + place - 1} 0 R" if place else ""
            objects[first + place] = (
                f"<< /Title ({title}) /Parent {root} 0 R {before} {after} /Dest [{kids[page - 1]} 0 R /Fit] >>"
            )
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {f'/Outlines {root} 0 R' if outline else ''} >>"
    written, offsets = b"%PDF-1.4\n", {}
    for number in sorted(objects):
        offsets[number] = len(written)
        written += f"{number} 0 obj\n{objects[number]}\nendobj\n".encode("latin-1")
    table = "".join(f"{offsets[number]:010d} 00000 n \n" for number in sorted(objects))
    size = len(objects) + 1
    key = "00" * 32
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -4 >> /ID [<00> <00>]"
    trailer = f"trailer << /Size {size} /Root 1 0 R {lock if encrypted else ''} >>"
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}\nstartxref\n{len(written)}\n%%EOF"
    path.write_bytes(written + end.encode())
    return path
