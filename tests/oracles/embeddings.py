"""Run by the Python of `.embeddings`: compare the default encoder, and use models that are built here.

Prints JSON: the largest difference of a vector's number, and what searches with the built models find.
"""

import contextlib
import json
import sys
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

from ansatz.errors import SettingError
from ansatz.knowledge_base.equation import Library, library
from ansatz.knowledge_base.search import Searcher, encode_base
from ansatz.knowledge_base.search.embedding import list_base_parts
from ansatz.knowledge_base.search.encoders import find_encoder, find_reranker
from ansatz.knowledge_base.search.index import Document, Index
from ansatz.knowledge_base.search.minilm import embed_texts, find_weights_folder

SHAPE = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


def compare_default(texts):
    """Return the largest difference between the default encoder and sentence-transformers."""
    published = SentenceTransformer(str(find_weights_folder()), device="cpu")
    return float(np.abs(published.encode(texts) - embed_texts(texts)).max())


def build_models(folder, texts):
    """Write a bi-encoder and a cross-encoder with random weights into folders."""
    from transformers import set_seed

    set_seed(0)
    words = BertWordPieceTokenizer()
    words.train_from_iterator(texts, vocab_size=2000)
    words.save_model(str(folder))
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"))
    config = BertConfig(vocab_size=len(tokenizer), num_labels=1, **SHAPE)
    for name, kind in (("bi", BertModel), ("cross", BertForSequenceClassification)):
        kind(config).save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)


def main(folder):
    texts = [text for parts in list_base_parts(library())[::120] for text in parts]
    texts += ["", "Größe µ and θ: 25 °C", "a long text about boundary layers. " * 200]
    build_models(folder, texts)
    bi, cross = f"sentence-transformers:{folder / 'bi'}", f"sentence-transformers:{folder / 'cross'}"
    base, steps = Library(list(library())[:30]), []
    with contextlib.suppress(SettingError):
        find_encoder("sentence-transformers:/no/such/folder")
        raise AssertionError("a missing folder was accepted")
    encode_base(base, bi, lambda *step: steps.append(step))
    question = f"{base.entries[4].name}: {base.entries[4].phrases[0]}"
    index = Index(bi)
    index.add(Document(f"{number}", text) for number, text in enumerate(texts))
    index.save(folder / "index")
    found = {
        "texts": len(texts),
        "difference": compare_default(texts),
        "steps": steps[-1][1:],
        "expected": base.entries[4].id,
        "hits": [hit.equation.id for hit in Searcher(base, encoder=bi).search(question).hits],
        "reranked": [
            hit.equation.id for hit in Searcher(base, encoder=bi, reranker=cross).search(question).hits
        ],
        "match": Index.load(folder / "index").search(texts[3], 1)[0].id,
        "ratings": find_reranker(cross).rate(question, texts[:4]).shape,
    }
    print(json.dumps(found))


main(Path(sys.argv[1]))
