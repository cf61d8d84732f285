package v1beta1

const GroupName = "example.com"

var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1beta1"}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion, &Bolt{}, &BoltList{})
	metav1.AddToGroupVersion(scheme, SchemeGroupVersion)
	return nil
}
