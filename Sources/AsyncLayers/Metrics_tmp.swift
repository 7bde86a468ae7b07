enum DisplaySource { case drawn, shared, cached, unchanged, empty }
