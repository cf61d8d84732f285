package v1beta1

func (in *Bolt) APILifecycleIntroduced() (major, minor int) { return 1, 1 }

func (in *Bolt) APILifecycleDeprecated() (major, minor int) { return 1, 3 }

func (in *Bolt) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Bolt"}
}

func (in *Bolt) APILifecycleRemoved() (major, minor int) { return 1, 6 }
