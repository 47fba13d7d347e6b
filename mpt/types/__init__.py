"""Other people's types, as far as our side knows them: how their values are compared and shown.

Behind the wall they are spelt by `mpt.worker.foreign`.
"""
