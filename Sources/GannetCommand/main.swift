print("gannet")
